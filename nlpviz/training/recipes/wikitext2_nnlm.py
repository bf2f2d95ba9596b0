"""The neural language model of Bengio et al. (2003) on WikiText-2: four words, side by side, predict the fifth."""

from __future__ import annotations

from nlpviz.text.tokenizers import WIKITEXT
from nlpviz.training.language import LanguageSettings, language_recipe
from nlpviz.training.language_fit import LanguageFit

SETTINGS = LanguageSettings(
    corpus="wikitext2",
    tokenizer=WIKITEXT,
    architecture="neural-ngram",
    config={
        "dimensions": 256,
        "order": 5,
        "units": 400,
        "cutoffs": (4_000, 12_000),
        "input_dropout": 0.2,
        "dropout": 0.3,
        "output_dropout": 0.2,
    },
    beside=("wikitext2-kn",),
    fit=LanguageFit(epochs=6, learning_rate=2e-3),
)

RECIPE = language_recipe("wikitext2-nnlm", "Neural 5-gram model on WikiText-2", SETTINGS, worth=2)
