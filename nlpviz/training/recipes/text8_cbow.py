"""CBOW on text8: the settings of ``enwiki-cbow`` on the corpus that everyone can download."""

from __future__ import annotations

from dataclasses import replace

from nlpviz.training.recipes.enwiki_cbow import SETTINGS
from nlpviz.training.words import word_recipe

RECIPE = word_recipe("text8-cbow", "CBOW on text8", replace(SETTINGS, corpus="text8"), committed=False)
