"""Skip-gram on the 75,000 training and unlabelled film reviews: the same words as in an encyclopaedia, otherwise used.

The test reviews are never read.
"""

from __future__ import annotations

from nlpviz.training.words import WordSettings, word_recipe
from nlpviz.word_vectors.learning.negative_sampling import NegativeSampling

SETTINGS = WordSettings(
    "imdb",
    "skip-gram",
    NegativeSampling(dimensions=100, epochs=5),
    splits=("train", "unsupervised"),
    vocabulary_size=20_000,
    kept_epochs=(),
    on_gpu={"settings": {"dimensions": 300, "step": 1024, "epochs": 8}},
)

RECIPE = word_recipe("imdb-skipgram", "Skip-gram on IMDB", SETTINGS, worth=2)
