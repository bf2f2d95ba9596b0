"""A stacked LSTM that reads Shakespeare's plays character by character: two layers of 384 units."""

from __future__ import annotations

from nlpviz.text.tokenizers import CHARACTERS
from nlpviz.training.language import LanguageSettings, language_recipe
from nlpviz.training.language_fit import LanguageFit

SETTINGS = LanguageSettings(
    corpus="tinyshakespeare",
    tokenizer=CHARACTERS,
    architecture="recurrent-language-model",
    config={
        "dimensions": 128,
        "units": 384,
        "layers": 2,
        "input_dropout": 0.15,
        "dropout": 0.5,
        "output_dropout": 0.5,
    },
    beside=("shakespeare-kn",),
    fit=LanguageFit(epochs=16, rows=32, steps=80, sampled=0),
    on_gpu={
        "config": {"units": 512, "layers": 3},
        "kept_epochs": (0, 1, 5),
        "fit": {"epochs": 40, "precision": "high"},
    },
)

RECIPE = language_recipe("shakespeare-lstm", "Character LSTM on tinyshakespeare", SETTINGS, worth=3)
