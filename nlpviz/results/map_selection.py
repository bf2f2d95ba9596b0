"""A loop drawn on a plane: its corners as in an address, and the points inside."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

MOST_CORNERS = 40
MOST_LETTERS = 1_000
"""Of a loop as text; a longer one is none."""


def corners_of(text: str) -> NDArray[np.float64] | None:
    """Return the corners of a loop, (C, 2), from ``"x,y x,y …"``; None for what is none, such as fewer than three."""
    if len(text) > MOST_LETTERS:
        return None
    corners = []
    for pair in text.split():
        parts = pair.split(",")
        try:
            corner = [float(part) for part in parts]
        except ValueError:
            return None
        if len(corner) != 2 or not all(map(math.isfinite, corner)):
            return None
        corners.append(corner)
    return np.array(corners) if 3 <= len(corners) <= MOST_CORNERS else None


def inside(corners: NDArray[np.floating], x: NDArray[np.floating], y: NDArray[np.floating]) -> NDArray[np.bool_]:
    """Return which of N points lie in a closed polygon, (N,), by the even-odd rule (Shimrat 1962, Algorithm 112).

    Args:
        corners: (C, 2), in order; the last one is joined to the first.
        x: (N,).
        y: (N,).
    """
    result = np.zeros(len(x), dtype=bool)
    for (x0, y0), (x1, y1) in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        if y0 == y1:
            continue
        crosses = (y0 > y) != (y1 > y)
        result ^= crosses & (x < x0 + (y - y0) * (x1 - x0) / (y1 - y0))
    return result
