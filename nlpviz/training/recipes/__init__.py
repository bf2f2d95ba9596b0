"""One run per module."""

from __future__ import annotations

from nlpviz.discovery import discover
from nlpviz.training import Recipe


def recipes() -> dict[str, Recipe]:
    """Return every recipe, by name."""
    return discover("nlpviz.training.recipes", "RECIPE", Recipe)
