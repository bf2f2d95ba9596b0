"""English to French without attention, the source read from its end (Sutskever et al. 2014)."""

from __future__ import annotations

from nlpviz.training.multi30k import recurrent

RECIPE = recurrent("en", "fr", "reversed")
