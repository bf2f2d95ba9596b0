"""A small Transformer encoder, two layers of four heads, on 25,000 film reviews.

Texts, vectors and the words that are read, 1,000 of a text, are those of ``imdb-bigru-attention``.
"""

from __future__ import annotations

from nlpviz.training.classifier import ClassifierSettings, classifier_recipe
from nlpviz.training.fit import FitSettings

SETTINGS = ClassifierSettings(
    corpus="imdb",
    class_names=("negative", "positive"),
    architecture="transformer-encoder",
    config={
        "dimensions": 100,
        "width": 64,
        "layers": 2,
        "attention_heads": 4,
        "feed_forward": 128,
        "positions": "sinusoidal",
        "dropout": 0.2,
        "word_dropout": 0.3,
        "static": True,
    },
    vocabulary_size=18_000,
    max_length=1_000,
    validation_gap=60,
    fit=FitSettings(
        epochs=7, patience=2, batch_size=32, learning_rate=1e-3, averaging=0.999, starts_from="imdb-skipgram"
    ),
    on_gpu={"config": {"dimensions": 300}, "fit": {"epochs": 25, "patience": 6, "precision": "high"}},
)

RECIPE = classifier_recipe("imdb-transformer", "Transformer encoder on IMDB", SETTINGS, worth=2)
