"""What people call a plane through state space, its axes, and what a class score in it is measured in."""

from __future__ import annotations

from nlpviz.figures.numbers import unit_of_push
from nlpviz.results.state_plane import StatePlane

PLANES = {"components": "principal components", "score": "class score"}
"""What the axes may be, and what people call it."""


def unit_of(plane: StatePlane) -> str:
    """Return what the class score is measured in."""
    return unit_of_push(plane.classes)


def titles(plane: StatePlane) -> tuple[str, str]:
    """Return what the two axes show."""
    if plane.kind == "score":
        return f"class score, {unit_of(plane)}", "PC 1, orthogonal to the score"
    first, second = plane.space.shares[:2]
    return f"PC 1 ({first:.0%} of variance)", f"PC 2 ({second:.0%})"
