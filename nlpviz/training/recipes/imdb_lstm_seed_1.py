"""``imdb-lstm`` once more from another seed: which of its units follow what they follow by chance?"""

from __future__ import annotations

from dataclasses import replace

from nlpviz.training.classifier import classifier_recipe
from nlpviz.training.recipes.imdb_lstm import SETTINGS

RECIPE = classifier_recipe(
    "imdb-lstm-seed-1", "LSTM on IMDB, seed 1", replace(SETTINGS, fit=replace(SETTINGS.fit, seed=1), kept_epochs=(0,))
)
