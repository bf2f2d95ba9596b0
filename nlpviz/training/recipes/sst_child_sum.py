"""A child-sum Tree-LSTM on the sentiment treebank."""

from __future__ import annotations

from nlpviz.training.tree_fit import TreeFit
from nlpviz.training.trees import VECTORS, TreeSettings, tree_recipe

RECIPE = tree_recipe(
    "sst-child-sum",
    "Child-sum Tree-LSTM on SST",
    TreeSettings(
        "child-sum-tree-lstm",
        {"tuned_words": 4_000, "input_dropout": 0.3},
        fit=TreeFit(epochs=10, patience=4, learning_rate=0.05, starts_from=VECTORS),
    ),
)
