"""The image of a scene, its edges soft."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from nlpviz.data.scene_objects import BACKGROUND, COLORS, SIDE, Shape

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def render(scene: Sequence[Shape]) -> NDArray[np.uint8]:
    """Return the image of a scene, uint8 (3, S, S); later objects lie over earlier ones."""
    import numpy as np

    image = np.full((3, SIDE, SIDE), BACKGROUND, dtype=np.float32)
    for one in scene:
        left, top, right, bottom = one.box
        color = np.array(COLORS[one.color], dtype=np.float32)[:, None, None]
        under = image[:, top:bottom, left:right]
        under += _covered(one.shape, one.radius) * (color - under)
    return image.round().astype(np.uint8)


@cache
def _covered(shape: str, radius: int) -> NDArray[np.float32]:
    """Return the share of each pixel of its box that an object covers: two by two samples, so that edges are soft."""
    import numpy as np

    width = 2 * radius + 1
    places = ((np.arange(2 * width) + 0.5) / 2 - 0.5 - radius).astype(np.float32)
    inside = _inside(shape, radius, places[None, :], places[:, None])
    return np.asarray(inside.reshape(width, 2, width, 2).mean(axis=(1, 3), dtype=np.float32))


def _inside(shape: str, radius: int, x: NDArray[np.float32], y: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Return which points, by their distance from the centre, lie in an object; x (1, W) and y (H, 1)."""
    import numpy as np

    if shape == "circle":
        return np.asarray(x**2 + y**2 <= radius**2)
    if shape == "square":
        return np.asarray(np.maximum(abs(x), abs(y)) <= 0.88 * radius)
    if shape == "diamond":
        return np.asarray(abs(x) + abs(y) <= radius)
    if shape == "triangle":
        return np.asarray((y <= 0.8 * radius) & (abs(x) <= 0.55 * (y + radius)))
    return np.asarray((np.minimum(abs(x), abs(y)) <= 0.34 * radius) & (np.maximum(abs(x), abs(y)) <= radius))
