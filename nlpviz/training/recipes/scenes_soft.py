"""Captions of synthetic scenes with soft attention.

Before attention heard the last word, and without ``noise``, 99.0 % of the captions of test scenes were true, but 11.2 %
of those of unseen pairs: the word before excluded the shape. With noise on colours that attention heard too, 70 % and
65 %, of 400 scenes each, after 12 epochs: it did not know which object was meant.
"""

from __future__ import annotations

from nlpviz.training.captioner import CaptionerSettings, captioner_recipe
from nlpviz.training.captioner_fit import CaptionerFit

RECIPE = captioner_recipe(
    "scenes-soft",
    "Soft attention on scenes",
    CaptionerSettings({"attention": "soft"}, fit=CaptionerFit(noise=0.9)),
)
