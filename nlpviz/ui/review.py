"""A visitor's text on a map of documents or of words: its mark, how exact its position is."""

from __future__ import annotations

from nlpviz.analysis.projections import projectors


def mark(dimensions: int) -> str:
    """Return what people call the mark of the review on a map."""
    return "star" if dimensions == 2 else "cross"


def how_exact(projector: str) -> str:
    """Return how true the review's place is on the map of a projector."""
    return "exact" if projectors()[projector].exact else "approximate, because t-SNE cannot place new points exactly"
