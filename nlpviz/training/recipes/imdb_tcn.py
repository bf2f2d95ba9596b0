"""A temporal convolutional network in place of the LSTM of ``imdb-lstm``, of as many parameters.

Its receptive field is 253 words, so that of longer reviews the last state knows the end alone.
"""

from __future__ import annotations

from dataclasses import replace

from nlpviz.training.classifier import classifier_recipe
from nlpviz.training.recipes.imdb_lstm import COMMON, SETTINGS

RECIPE = classifier_recipe(
    "imdb-tcn",
    "TCN on IMDB",
    replace(SETTINGS, architecture="tcn", config={**COMMON, "units": 48, "layers": 6, "kernel": 3}),
    worth=2,
)
