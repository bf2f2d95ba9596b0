"""English to French without attention: the last state of the encoder is all that the decoder gets."""

from __future__ import annotations

from nlpviz.training.multi30k import recurrent

RECIPE = recurrent("en", "fr", "none")
