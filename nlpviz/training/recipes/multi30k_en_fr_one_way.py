"""English to French without attention, by an encoder that reads the source from its first word to its last."""

from __future__ import annotations

from nlpviz.training.multi30k import recurrent

RECIPE = recurrent("en", "fr", "one-way")
