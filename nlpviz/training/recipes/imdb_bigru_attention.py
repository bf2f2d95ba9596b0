"""A bidirectional GRU whose annotations are pooled by attention (Tixier 2018, section 7.2), on 25,000 film reviews.

The word vectors are those of ``imdb-skipgram``, learnt from 75,000 reviews, and stay as they are: a recurrent network
that may tune them has its training reviews by heart within two epochs. Whole words are left out at random as well.
"""

from __future__ import annotations

from nlpviz.training.classifier import ClassifierSettings, classifier_recipe
from nlpviz.training.fit import FitSettings

SETTINGS = ClassifierSettings(
    corpus="imdb",
    class_names=("negative", "positive"),
    architecture="attentive-rnn",
    config={
        "dimensions": 100,
        "cell": "gru",
        "units": 64,
        "attention": 64,
        "dropout": 0.5,
        "word_dropout": 0.4,
        "static": True,
    },
    vocabulary_size=18_000,
    max_length=1_000,
    fit=FitSettings(
        epochs=12, patience=3, batch_size=64, learning_rate=2e-3, averaging=0.998, starts_from="imdb-skipgram"
    ),
    on_gpu={"config": {"dimensions": 300}, "fit": {"epochs": 25, "patience": 6, "precision": "high"}},
)

RECIPE = classifier_recipe("imdb-bigru-attention", "BiGRU with attention on IMDB", SETTINGS, worth=2)
