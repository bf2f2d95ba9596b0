"""GloVe on 16.9 million words of Wikipedia."""

from __future__ import annotations

from nlpviz.training.words import WordSettings, word_recipe
from nlpviz.word_vectors.learning.glove import GloVeSettings

SETTINGS = WordSettings("enwiki-core", "glove", GloVeSettings(dimensions=100, epochs=15), kept_epochs=())

RECIPE = word_recipe("enwiki-glove", "GloVe on enwiki-core", SETTINGS)
