"""Latent Dirichlet allocation on 20 Newsgroups: what an autoencoder of the same bags should beat.

Six settings are tried, and the one with the lowest perplexity bound on the validation documents is kept. More topics
and smaller priors were worse there: with priors of 1 in sum, 1185, 1228, 1357 and 1671 for 5, 10, 20 and 50 topics, and
with priors of 5 in sum 1272 and 1420 for 20 and 50. Posts are short, about thirty words of the vocabulary, so that each
topic of a document has to be paid for by few words.
"""

from __future__ import annotations

from nlpviz.data.newsgroups import GROUPS
from nlpviz.training.topics import TopicSettings, topics_recipe

SETTINGS = TopicSettings(corpus="newsgroups", class_names=GROUPS, validation=1_200)

RECIPE = topics_recipe("newsgroups-lda", "LDA on 20 Newsgroups", SETTINGS)
