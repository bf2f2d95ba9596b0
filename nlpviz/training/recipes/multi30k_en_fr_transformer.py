"""English to French with a small Transformer."""

from __future__ import annotations

from nlpviz.training.translator import TranslatorSettings, translator_recipe
from nlpviz.training.translator_fit import TranslatorFit

SETTINGS = TranslatorSettings(
    "en",
    "fr",
    "transformer-translator",
    {"dimensions": 128, "layers": 3, "heads": 4, "feed_forward": 256, "dropout": 0.3},
    fit=TranslatorFit(epochs=25, learning_rate=1.5e-3, warmup=800),
    on_gpu={
        "config": {"dimensions": 256, "layers": 4, "feed_forward": 512},
        "fit": {"epochs": 60, "batch_size": 128, "learning_rate": 1e-3, "precision": "high"},
    },
)

RECIPE = translator_recipe("multi30k-en-fr-transformer", "English to French, Transformer", SETTINGS, worth=2)
