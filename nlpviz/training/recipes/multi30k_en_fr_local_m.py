"""English to French with local attention that looks at the t-th source word."""

from __future__ import annotations

from nlpviz.training.multi30k import recurrent

RECIPE = recurrent("en", "fr", "local-m")
