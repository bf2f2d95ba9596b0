"""A stacked LSTM that reads WikiText-2 word by word: two layers of 320 units, word vectors read and predicted.

Words beyond the 4,000 commonest ones have 64 numbers, those beyond 12,000 have 16: a table of all words with 256 each
would be five times as large.
"""

from __future__ import annotations

from nlpviz.runs.epochs import SPARSE
from nlpviz.text.tokenizers import WIKITEXT
from nlpviz.training.language import LanguageSettings, language_recipe
from nlpviz.training.language_fit import LanguageFit

SETTINGS = LanguageSettings(
    corpus="wikitext2",
    tokenizer=WIKITEXT,
    architecture="recurrent-language-model",
    config={
        "dimensions": 256,
        "units": 320,
        "layers": 2,
        "cutoffs": (4_000, 12_000),
        "input_dropout": 0.3,
        "dropout": 0.3,
        "output_dropout": 0.4,
    },
    kept_epochs=SPARSE,
    neural_cache=2_000,
    beside=("wikitext2-kn",),
    fit=LanguageFit(epochs=12),
    on_gpu={
        "config": {
            "dimensions": 400,
            "units": 650,
            "cutoffs": (8_000,),
            "weight_drop": 0.4,
            "input_dropout": 0.5,
            "dropout": 0.3,
            "output_dropout": 0.5,
        },
        "kept_epochs": (0,),
        "fit": {"epochs": 40, "sampled": 0, "clip": 0.5, "precision": "high"},
    },
)

RECIPE = language_recipe("wikitext2-lstm", "LSTM on WikiText-2", SETTINGS, worth=3)
