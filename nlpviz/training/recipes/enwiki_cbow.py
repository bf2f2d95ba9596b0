"""CBOW with negative samples on 16.9 million words of Wikipedia.

Each prediction's gradient is shared among a window of some six words, so that the input vectors learn more slowly than
the output vectors. Of every second analogy question, after ten epochs, input and output vectors answer: with sums of
squares from zero, five negative words and one rate for both, 36.5 and 41.9 %; with sums that begin a little above zero
(see ``NegativeSampling.squares``), 40.7 and 45.7 %; and with twice the rate for the input vectors and ten negative
words, 41.7 and 47.2 %.
"""

from __future__ import annotations

from nlpviz.training.provenance import BY_EVERY_SECOND
from nlpviz.training.words import WordSettings, word_recipe
from nlpviz.word_vectors.learning.negative_sampling import NegativeSampling

SETTINGS = WordSettings(
    "enwiki-core",
    "cbow",
    NegativeSampling(epochs=10, negative=10, input_rate=0.4, squares=0.003),
    kept_epochs=(0, 1),
    chosen=BY_EVERY_SECOND,
    peer="""\
For comparison, Gensim’s CBOW answers 42.1% of the questions correctly after 10 epochs (docs/gensim_words.csv). It uses
the same vocabulary, dimensions and window, and otherwise word2vec’s usual settings.""",
    on_gpu={"settings": {"dimensions": 256, "step": 1024, "epochs": 15}},
)

RECIPE = word_recipe("enwiki-cbow", "CBOW on enwiki-core", SETTINGS, worth=2)
