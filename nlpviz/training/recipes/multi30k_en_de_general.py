"""English to German with global attention, the score general."""

from __future__ import annotations

from nlpviz.training.multi30k import recurrent

RECIPE = recurrent("en", "de", "general", worth=2)
