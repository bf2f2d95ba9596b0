"""A recursive neural tensor network on the sentiment treebank."""

from __future__ import annotations

from nlpviz.training.tree_fit import TreeFit
from nlpviz.training.trees import VECTORS, TreeSettings, tree_recipe

RECIPE = tree_recipe(
    "sst-rntn",
    "RNTN on SST",
    TreeSettings(
        "rntn",
        {"tuned_words": 4_000, "dropout": 0.1},
        fit=TreeFit(epochs=16, patience=5, learning_rate=0.02, starts_from=VECTORS),
    ),
)
