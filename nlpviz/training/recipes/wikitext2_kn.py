"""Counting: interpolated modified Kneser-Ney smoothing of the n-grams of WikiText-2, up to five words."""

from __future__ import annotations

from nlpviz.runs.language import COUNTS
from nlpviz.text.tokenizers import WIKITEXT
from nlpviz.training.language import LanguageSettings, language_recipe

SETTINGS = LanguageSettings(
    corpus="wikitext2",
    tokenizer=WIKITEXT,
    architecture=COUNTS,
    config={"order": 5},
    vocabularies=(1_000, 3_000, 10_000),
    cache=500,
)

RECIPE = language_recipe("wikitext2-kn", "Kneser-Ney 5-grams on WikiText-2", SETTINGS, worth=3)
