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
        "config": {"layers": 4, "shared": True},
        "subwords": 8_000,
        "kept_epochs": (0, 1, 2, 3, 5, 8, 12, 20, 32, 48),
        "fit": {
            "epochs": 70,
            "batch_size": 256,
            "learning_rate": 3e-3,
            "warmup": 2_000,
            "sampled": 0,
            "averaging": 0.999,
            "precision": "high",
        },
    },
)

RECIPE = translator_recipe("multi30k-en-fr-transformer", "English to French, Transformer", SETTINGS, worth=2)
