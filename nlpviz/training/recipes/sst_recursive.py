"""A plain recursive network on the sentiment treebank."""

from __future__ import annotations

from nlpviz.training.tree_fit import TreeFit
from nlpviz.training.trees import VECTORS, TreeSettings, tree_recipe

RECIPE = tree_recipe(
    "sst-recursive",
    "Recursive network on SST",
    TreeSettings(
        "recursive-network",
        {"dropout": 0.2, "input_dropout": 0.2},
        fit=TreeFit(epochs=12, patience=4, starts_from=VECTORS),
    ),
)
