"""Latent Dirichlet allocation on 20 Newsgroups: what an autoencoder of the same bags should beat.

Eight settings are tried, and the one with the lowest perplexity bound on the validation documents is kept. Posts are
short, about thirty words of the vocabulary, so that few words pay for each topic of a document: the fewest topics and
the larger prior are the best of those tried, 1140, and fifty topics with the smaller one the worst, 1671.
"""

from __future__ import annotations

from nlpviz.data.newsgroups import GROUPS
from nlpviz.training.topics import TopicSettings, topics_recipe

SETTINGS = TopicSettings(
    corpus="newsgroups", class_names=GROUPS, validation=1_200, topics=(5, 10, 20, 50), priors=(1.0, 5.0)
)

RECIPE = topics_recipe("newsgroups-lda", "LDA on 20 Newsgroups", SETTINGS)
