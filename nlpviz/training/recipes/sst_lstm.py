"""An LSTM over the phrases of the sentiment treebank, which knows nothing of their trees."""

from __future__ import annotations

from nlpviz.training.tree_fit import TreeFit
from nlpviz.training.trees import VECTORS, TreeSettings, tree_recipe

RECIPE = tree_recipe(
    "sst-lstm",
    "Phrase LSTM on SST",
    TreeSettings(
        "phrase-lstm",
        {"tuned_words": 4_000, "input_dropout": 0.3},
        fit=TreeFit(epochs=6, patience=3, learning_rate=0.05, starts_from=VECTORS),
    ),
)
