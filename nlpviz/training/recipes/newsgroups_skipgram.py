"""Skip-gram on the 11,314 training posts of 20 Newsgroups: the words of hobbies, hardware, politics and faith.

Few words for word vectors, 3.4 million, so that they are read many times. The test posts are never read.
"""

from __future__ import annotations

from nlpviz.training.words import WordSettings, word_recipe
from nlpviz.word_vectors.learning.negative_sampling import NegativeSampling

SETTINGS = WordSettings(
    "newsgroups",
    "skip-gram",
    NegativeSampling(dimensions=100, epochs=10, squares=0.003),
    splits=("train",),
    vocabulary_size=16_000,
    kept_epochs=(),
    output_vectors=False,
    on_gpu={"settings": {"step": 1024}},
)

RECIPE = word_recipe("newsgroups-skipgram", "Skip-gram on 20 Newsgroups", SETTINGS, worth=2)
