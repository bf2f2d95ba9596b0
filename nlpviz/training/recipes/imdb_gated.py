"""The gated unit of 001 in place of the LSTM of ``imdb-lstm``, of as many parameters."""

from __future__ import annotations

from dataclasses import replace

from nlpviz.training.classifier import classifier_recipe
from nlpviz.training.recipes.imdb_lstm import SETTINGS

RECIPE = classifier_recipe(
    "imdb-gated",
    "Gated unit on IMDB",
    replace(SETTINGS, config={**SETTINGS.config, "cell": "gated", "settings": {"forget_bias": 1.0}, "units": 179}),
    worth=2,
)
