"""``imdb-cnn`` once more from another seed: what of its maps, filters and regions is chance?"""

from __future__ import annotations

from dataclasses import replace

from nlpviz.training.classifier import classifier_recipe
from nlpviz.training.recipes.imdb_cnn import SETTINGS

RECIPE = classifier_recipe(
    "imdb-cnn-seed-1",
    "CNN on IMDB, seed 1",
    replace(SETTINGS, fit=replace(SETTINGS.fit, seed=1), kept_epochs=(0,)),
)
