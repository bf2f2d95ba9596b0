"""An LSTM that learnt to predict the next word of film reviews, of 72,440 training and unlabelled ones.

An epoch is a quarter of a pass: each reads another quarter of the reviews.
"""

from __future__ import annotations

from nlpviz.text.tokenizers import REVIEWS
from nlpviz.training.language import LanguageSettings, language_recipe
from nlpviz.training.language_fit import LanguageFit

SETTINGS = LanguageSettings(
    corpus="imdb",
    tokenizer=REVIEWS,
    architecture="recurrent-language-model",
    config={
        "dimensions": 256,
        "units": 400,
        "layers": 1,
        "cutoffs": (4_000,),
        "input_dropout": 0.1,
        "output_dropout": 0.1,
    },
    vocabulary_size=20_000,
    min_count=2,
    fit=LanguageFit(epochs=4, parts=4),
    on_gpu={
        "config": {"dimensions": 400, "units": 1024},
        "kept_epochs": (0,),
        "fit": {"epochs": 18, "rows": 96, "steps": 70, "sampled": 0, "precision": "high"},
    },
)

RECIPE = language_recipe("imdb-lm", "LSTM language model on IMDB", SETTINGS, worth=2)
