"""Counting: interpolated modified Kneser-Ney smoothing of the characters of tinyshakespeare, up to seven in a row."""

from __future__ import annotations

from nlpviz.runs.language import COUNTS
from nlpviz.text.tokenizers import CHARACTERS
from nlpviz.training.language import LanguageSettings, language_recipe

SETTINGS = LanguageSettings(
    corpus="tinyshakespeare",
    tokenizer=CHARACTERS,
    architecture=COUNTS,
    config={"order": 7},
    learns="development",
)

RECIPE = language_recipe("shakespeare-kn", "Kneser-Ney character 7-grams on tinyshakespeare", SETTINGS, worth=3)
