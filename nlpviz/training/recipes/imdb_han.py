"""The hierarchical attention network of Yang et al. (2016) on 25,000 film reviews, cut into sentences.

The sizes of GRUs and attention are those of the paper; texts, vectors and what keeps it from learning by heart are
those of ``imdb-bigru-attention``.
"""

from __future__ import annotations

from nlpviz.training.classifier import ClassifierSettings, classifier_recipe
from nlpviz.training.fit import FitSettings

SETTINGS = ClassifierSettings(
    corpus="imdb",
    class_names=("negative", "positive"),
    architecture="han",
    config={"dimensions": 100, "units": 50, "attention": 100, "dropout": 0.5, "word_dropout": 0.4, "static": True},
    vocabulary_size=18_000,
    max_length=1_000,
    fit=FitSettings(
        epochs=12, patience=3, batch_size=64, learning_rate=2e-3, averaging=0.998, starts_from="imdb-skipgram"
    ),
    on_gpu={"config": {"dimensions": 300}, "fit": {"epochs": 25, "patience": 6, "precision": "high"}},
)

RECIPE = classifier_recipe("imdb-han", "HAN on IMDB", SETTINGS, worth=2)
