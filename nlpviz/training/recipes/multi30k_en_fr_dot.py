"""English to French with global attention, the score dot."""

from __future__ import annotations

from nlpviz.training.multi30k import recurrent

RECIPE = recurrent("en", "fr", "dot")
