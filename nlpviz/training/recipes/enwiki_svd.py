"""Positive PMI and a truncated SVD on 16.9 million words of Wikipedia."""

from __future__ import annotations

from nlpviz.training.words import WordSettings, word_recipe
from nlpviz.word_vectors.learning.ppmi_svd import PPMISettings

SETTINGS = WordSettings("enwiki-core", "ppmi-svd", PPMISettings(dimensions=150), kept_epochs=())

RECIPE = word_recipe("enwiki-svd", "PPMI and SVD on enwiki-core", SETTINGS)
