"""Captions of synthetic scenes with hard attention, begun with the weights of soft attention.

From random weights it learnt more slowly, before attention heard the last word: after 8,000 of 20,000 steps 68 % of its
captions of 300 validation scenes were true, where soft attention had 93 % after 7,500.
"""

from __future__ import annotations

from nlpviz.training.captioner import CaptionerSettings, captioner_recipe
from nlpviz.training.captioner_fit import CaptionerFit

RECIPE = captioner_recipe(
    "scenes-hard",
    "Hard attention on scenes",
    CaptionerSettings(
        {"attention": "hard"},
        fit=CaptionerFit(epochs=8, learning_rate=1e-3, noise=0.9, starts_from="scenes-soft"),
    ),
)
