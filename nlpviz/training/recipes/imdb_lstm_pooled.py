"""``imdb-lstm`` whose states are pooled by their maximum: no unit has to remember to the end."""

from __future__ import annotations

from dataclasses import replace

from nlpviz.training.classifier import classifier_recipe
from nlpviz.training.recipes.imdb_lstm import SETTINGS

RECIPE = classifier_recipe(
    "imdb-lstm-pooled", "LSTM on IMDB, pooled", replace(SETTINGS, config={**SETTINGS.config, "reading": "max"}), worth=2
)
