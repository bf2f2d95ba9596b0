"""The linear baseline on the same 25,000 film reviews: what a bag of n-grams reaches without a network."""

from __future__ import annotations

from nlpviz.training.baseline import BaselineSettings, baseline_recipe

RECIPE = baseline_recipe(
    "imdb-ngrams",
    "N-grams on IMDB",
    BaselineSettings(corpus="imdb", class_names=("negative", "positive")),
)
