"""An LSTM that reads film reviews word by word and is asked at the end: the last hidden state alone decides.

The recurrent runs have about 100,000 parameters besides their word vectors, which are those of ``imdb-skipgram`` and
stay as they are; they read the first 400 words of a review, as much as most have, and differ in their cell alone.
"""

from __future__ import annotations

from nlpviz.training.classifier import ClassifierSettings, classifier_recipe
from nlpviz.training.fit import FitSettings

COMMON = {"dimensions": 100, "reading": "last", "dropout": 0.5, "word_dropout": 0.3, "static": True}
"""What all recurrent runs have alike."""

SETTINGS = ClassifierSettings(
    corpus="imdb",
    class_names=("negative", "positive"),
    architecture="recurrent-network",
    config={**COMMON, "cell": "lstm", "settings": {"forget_bias": 1.0}, "units": 116},
    vocabulary_size=18_000,
    max_length=400,
    validation_gap=60,
    fit=FitSettings(
        epochs=14,
        patience=4,
        batch_size=64,
        learning_rate=2e-3,
        averaging=0.998,
        clip=1.0,
        starts_from="imdb-skipgram",
    ),
    on_gpu={
        "config": {"dimensions": 300},
        "max_length": 1_000,
        "fit": {"epochs": 30, "patience": 6, "precision": "high"},
    },
)

RECIPE = classifier_recipe("imdb-lstm", "LSTM on IMDB", SETTINGS, worth=2)
