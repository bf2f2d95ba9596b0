"""A plain recursive network on the sentiment treebank."""

from __future__ import annotations

from nlpviz.training.tree_fit import TreeFit
from nlpviz.training.trees import VECTORS, TreeSettings, tree_recipe

RECIPE = tree_recipe(
    "sst-recursive",
    "Recursive network on SST",
    TreeSettings(
        "recursive-network",
        {"tuned_words": 4_000, "dropout": 0.2},
        fit=TreeFit(epochs=16, patience=5, learning_rate=0.02, starts_from=VECTORS),
    ),
)
