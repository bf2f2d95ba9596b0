"""The network of ``imdb-cnn`` with its word vectors frozen: what the filters make of vectors that no label has touched.

Kim (2014) calls it the static variant. The vectors do not move, so that the filters may be trained for longer.
"""

from __future__ import annotations

from dataclasses import replace

from nlpviz.training.classifier import classifier_recipe
from nlpviz.training.recipes.imdb_cnn import SETTINGS

RECIPE = classifier_recipe(
    "imdb-cnn-static",
    "CNN on IMDB, static vectors",
    replace(
        SETTINGS,
        config={**SETTINGS.config, "static": True},
        fit=replace(SETTINGS.fit, epochs=12),
        kept_epochs=(0, 1, 3),
        on_gpu={**SETTINGS.on_gpu, "kept_epochs": (0, 1, 3)},
    ),
)
