"""The autoencoder of ``newsgroups-vae-collapsed``, but the means of each unit are batch-normalised."""

from __future__ import annotations

from dataclasses import replace

from nlpviz.training.codes import codes_recipe
from nlpviz.training.recipes.newsgroups_vae_collapsed import SETTINGS

RECIPE = codes_recipe(
    "newsgroups-vae-batch-norm",
    "VAE with batch-normalised means on 20 Newsgroups",
    replace(SETTINGS, config={**SETTINGS.config, "mean_scale": 0.5}, remedy="batch-normalised means"),
)
