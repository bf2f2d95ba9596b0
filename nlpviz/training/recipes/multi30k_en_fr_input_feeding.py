"""English to French with global attention, its last state given to the decoder (Luong et al. 2015, section 3.3)."""

from __future__ import annotations

from nlpviz.training.multi30k import recurrent

RECIPE = recurrent("en", "fr", "input-feeding")
