"""A binary Tree-LSTM on the sentiment treebank."""

from __future__ import annotations

from nlpviz.training.tree_fit import TreeFit
from nlpviz.training.trees import VECTORS, TreeSettings, tree_recipe

RECIPE = tree_recipe(
    "sst-tree-lstm",
    "Binary Tree-LSTM on SST",
    TreeSettings(
        "binary-tree-lstm",
        {"input_dropout": 0.3},
        fit=TreeFit(epochs=10, patience=4, starts_from=VECTORS),
    ),
)
