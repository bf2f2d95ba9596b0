"""Latent Dirichlet allocation on IMDB: what an autoencoder of the same bags should beat.

Six settings are tried, with five passes each over twice as many documents as 20 Newsgroups has, and the one with the
lowest perplexity bound on the validation documents is kept.
"""

from __future__ import annotations

from nlpviz.training.topics import TopicSettings, topics_recipe

SETTINGS = TopicSettings(
    corpus="imdb",
    class_names=("negative", "positive"),
    validation=2_500,
    passes=5,
)

RECIPE = topics_recipe("imdb-lda", "LDA on IMDB", SETTINGS)
