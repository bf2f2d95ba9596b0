"""English to German with a small Transformer, the one of ``multi30k-en-fr-transformer`` at twice its learning rate."""

from __future__ import annotations

from dataclasses import replace

from nlpviz.training.recipes.multi30k_en_fr_transformer import SETTINGS
from nlpviz.training.translator import translator_recipe

RECIPE = translator_recipe(
    "multi30k-en-de-transformer",
    "English to German, Transformer",
    replace(SETTINGS, target="de", fit=replace(SETTINGS.fit, epochs=15, learning_rate=3e-3)),
)
