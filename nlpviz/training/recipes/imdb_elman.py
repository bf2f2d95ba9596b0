"""An Elman network in place of the LSTM of ``imdb-lstm``, of as many parameters: nothing keeps its state."""

from __future__ import annotations

from dataclasses import replace

from nlpviz.training.classifier import classifier_recipe
from nlpviz.training.recipes.imdb_lstm import SETTINGS

RECIPE = classifier_recipe(
    "imdb-elman",
    "Elman network on IMDB",
    replace(SETTINGS, config={**SETTINGS.config, "cell": "elman", "settings": {"activation": "tanh"}, "units": 270}),
    worth=2,
)
