"""CBOW with negative samples on 16.9 million words of Wikipedia."""

from __future__ import annotations

from nlpviz.training.words import WordSettings, word_recipe
from nlpviz.word_models.negative_sampling import NegativeSampling

SETTINGS = WordSettings(
    "enwiki-core", "cbow", NegativeSampling(epochs=10), kept_epochs=(0, 1), on_gpu={"step": 1024, "epochs": 15}
)

RECIPE = word_recipe("enwiki-cbow", "CBOW on enwiki-core", SETTINGS, worth=2)
