"""English to French with local attention that predicts where to look."""

from __future__ import annotations

from nlpviz.training.multi30k import recurrent

RECIPE = recurrent("en", "fr", "local-p")
