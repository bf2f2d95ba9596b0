"""Latent Dirichlet allocation on 20 Newsgroups: what an autoencoder of the same bags should beat.

Fifteen settings are tried, and the one with the lowest perplexity bound on the validation documents is kept.
"""

from __future__ import annotations

from nlpviz.data.newsgroups import GROUPS
from nlpviz.training.topics import TopicSettings, topics_recipe

SETTINGS = TopicSettings(corpus="newsgroups", class_names=GROUPS, validation=1_200)

RECIPE = topics_recipe("newsgroups-lda", "LDA on 20 Newsgroups", SETTINGS)
