"""The autoencoder of ``newsgroups-vae-collapsed``, but 0.1 nats of each unit's KL divergence cost nothing."""

from __future__ import annotations

from dataclasses import replace

from nlpviz.training.codes import codes_recipe
from nlpviz.training.recipes.newsgroups_vae_collapsed import SETTINGS

RECIPE = codes_recipe(
    "newsgroups-vae-free-bits",
    "VAE with free bits on 20 Newsgroups",
    replace(SETTINGS, fit=replace(SETTINGS.fit, free_bits=0.1), remedy="free bits"),
)
