"""The linear yardstick on the same 25,000 film reviews: what a bag of n-grams reaches without a network."""

from __future__ import annotations

from nlpviz.training.yardstick import YardstickSettings, yardstick_recipe

RECIPE = yardstick_recipe(
    "imdb-ngrams",
    "N-grams on IMDB",
    YardstickSettings(corpus="imdb", class_names=("negative", "positive")),
)
