"""A GRU in place of the LSTM of ``imdb-lstm``, of as many parameters."""

from __future__ import annotations

from dataclasses import replace

from nlpviz.training.classifier import classifier_recipe
from nlpviz.training.recipes.imdb_lstm import SETTINGS

RECIPE = classifier_recipe(
    "imdb-gru",
    "GRU on IMDB",
    replace(SETTINGS, config={**SETTINGS.config, "cell": "gru", "settings": {}, "units": 139}),
    worth=2,
)
