"""Captions of synthetic scenes with hard attention."""

from __future__ import annotations

from nlpviz.training.captioner import CaptionerSettings, captioner_recipe

RECIPE = captioner_recipe("scenes-hard", "Hard attention on scenes", CaptionerSettings({"attention": "hard"}))
