"""The GRU of ``imdb-gru`` with a gate that skips words, each of which costs when it is read."""

from __future__ import annotations

from dataclasses import replace

from nlpviz.training.classifier import classifier_recipe
from nlpviz.training.recipes.imdb_lstm import COMMON, SETTINGS

RECIPE = classifier_recipe(
    "imdb-skip",
    "Skip GRU on IMDB",
    replace(SETTINGS, architecture="skip-rnn", config={**COMMON, "cell": "gru", "units": 139, "budget": 1.7e-4}),
    worth=2,
)
