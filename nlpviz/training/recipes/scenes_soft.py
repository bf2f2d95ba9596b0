"""Captions of synthetic scenes with soft attention."""

from __future__ import annotations

from nlpviz.training.captioner import CaptionerSettings, captioner_recipe

RECIPE = captioner_recipe("scenes-soft", "Soft attention on scenes", CaptionerSettings({"attention": "soft"}))
