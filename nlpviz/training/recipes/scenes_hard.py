"""Captions of synthetic scenes with hard attention."""

from __future__ import annotations

from nlpviz.training.captioner import CaptionerSettings, captioner_recipe

RECIPE = captioner_recipe(
    "scenes-hard", "Captions of synthetic scenes, hard attention", CaptionerSettings({"attention": "hard"})
)
