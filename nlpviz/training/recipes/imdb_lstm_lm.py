"""An LSTM classifier of film reviews that begins as a language model of film reviews ended.

Dai and Le (2015), *Semi-supervised Sequence Learning*: word vectors and recurrent layer come from ``imdb-lm``, which
read the training reviews and those without a label; only the output layer begins at random. The vectors of the 4,000
commonest words are trained at half the rate. Those of rarer words stay as they were: some are names that identify one
film, which up to thirty training reviews mention and no test review does.
"""

from __future__ import annotations

from nlpviz.training.classifier import ClassifierSettings, classifier_recipe
from nlpviz.training.fit import FitSettings

SETTINGS = ClassifierSettings(
    corpus="imdb",
    class_names=("negative", "positive"),
    architecture="recurrent-network",
    config={
        "dimensions": 256,
        "cutoffs": (4_000,),
        "trained_bands": 1,
        "cell": "lstm",
        "units": 400,
        "reading": "max",
        "dropout": 0.5,
        "word_dropout": 0.4,
    },
    vocabulary_size=20_000,
    words_of="imdb-lm",
    max_length=1_000,
    validation_gap=60,
    large=1 << 13,
    fit=FitSettings(
        epochs=3,
        patience=2,
        batch_size=64,
        learning_rate=2e-3,
        embedding_rate=1e-3,
        averaging=0.998,
        clip=1.0,
        starts_from="imdb-lm",
    ),
    on_gpu={
        "config": {"dimensions": 400, "units": 1024},
        "kept_epochs": (0, 1),
        "fit": {"epochs": 10, "patience": 4, "learning_rate": 1e-3, "adversarial": 3.0, "precision": "high"},
    },
)

RECIPE = classifier_recipe("imdb-lstm-lm", "LSTM on IMDB, pretrained as a language model", SETTINGS, worth=2)
