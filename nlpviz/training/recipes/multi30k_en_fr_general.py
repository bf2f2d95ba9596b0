"""English to French with global attention, the score general; epochs before and early in training are kept."""

from __future__ import annotations

from nlpviz.runs.epochs import SPARSE
from nlpviz.training.multi30k import recurrent

RECIPE = recurrent("en", "fr", "general", kept_epochs=SPARSE, worth=2)
