"""A quasi-recurrent network in place of the LSTM of ``imdb-lstm``, of as many parameters."""

from __future__ import annotations

from dataclasses import replace

from nlpviz.training.classifier import classifier_recipe
from nlpviz.training.recipes.imdb_lstm import COMMON, SETTINGS

RECIPE = classifier_recipe(
    "imdb-qrnn",
    "QRNN on IMDB",
    replace(SETTINGS, architecture="qrnn", config={**COMMON, "units": 88, "layers": 2}),
    worth=2,
)
