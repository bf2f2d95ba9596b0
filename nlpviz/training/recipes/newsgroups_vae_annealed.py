"""The autoencoder of ``newsgroups-vae-collapsed``, but its KL divergence is weighted from zero, over eight epochs."""

from __future__ import annotations

from dataclasses import replace

from nlpviz.training.codes import codes_recipe
from nlpviz.training.recipes.newsgroups_vae_collapsed import SETTINGS

RECIPE = codes_recipe(
    "newsgroups-vae-annealed",
    "VAE with KL annealing on 20 Newsgroups",
    replace(SETTINGS, fit=replace(SETTINGS.fit, annealing=8), remedy="KL annealing"),
)
