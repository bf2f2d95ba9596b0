"""Words written beside their points: the first of them that fit without touching each other."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlpviz.figures import theme
from nlpviz.vocabulary import shortened

LETTERS = 18
_SIZE, _LETTER, _LINE = 12, 6.6, 18.0  # pixels: font, a letter's width, a line with what Plotly leaves round it
_BESIDE, _ABOVE = 6.0, 3.0  # pixels from the point's middle to the label
# a side of the point, as the anchors of an annotation and the way of the label's middle from the point's
_SIDES = {
    ("center", "bottom"): (0.0, 1.0), ("center", "top"): (0.0, -1.0), ("left", "middle"): (1.0, 0.0),
    ("right", "middle"): (-1.0, 0.0), ("left", "bottom"): (1.0, 1.0), ("right", "bottom"): (-1.0, 1.0),
    ("left", "top"): (1.0, -1.0), ("right", "top"): (-1.0, -1.0),
}  # fmt: skip


class Label(NamedTuple):
    """A label that fits: of the point at ``place``, on the side that two anchors of Plotly's name."""

    place: int
    xanchor: str
    yanchor: str


def fitting(
    places: NDArray[np.float64], words: Sequence[str], widths: tuple[float, float], height: float, most: int
) -> list[Label]:
    """Return at most ``most`` labels that overlap neither each other nor the edge, however wide the panel is.

    Two labels that stand in the same order at the smallest and at the largest width do so at all between. A side where
    a label covers no point is taken before one where it does.

    Args:
        places: of the points, shape (n, 2), 0 to 1 each way, the most telling first.
        words: n of them.
        widths: the smallest and the largest of the panel, in pixels.
        height: of the panel, in pixels.
        most: the number of labels.
    """
    points, spans = np.asarray(places, dtype=np.float64).reshape(-1, 2), np.array(widths)
    sizes = _LETTER * np.minimum([len(word) for word in words], LETTERS)[:, None, None]  # (n, 1, 1)
    right, up = np.array(list(_SIDES.values())).T
    across, high = points[:, :1] * spans, points[:, 1] * height  # (n, 2) and (n,)
    lefts = across[:, None, :] + right[:, None] * (sizes / 2 + _BESIDE) - sizes / 2  # (n, sides, widths)
    rights, lows = lefts + sizes, high[:, None] + up * (_LINE / 2 + _ABOVE) - _LINE / 2
    free = (lefts >= 0).all(axis=2) & (rights <= spans).all(axis=2) & (lows >= 0) & (lows <= height - _LINE)
    found: list[Label] = []
    for place in range(len(points)):
        if len(found) == most:
            break
        sides = np.flatnonzero(free[place])
        if not len(sides):
            continue
        left, low = lefts[place, sides, None], lows[place, sides, None]
        inside = ((across > left) & (across < rights[place, sides, None])).any(axis=2)
        covers = (inside & (high > low) & (high < low + _LINE)).any(axis=1)
        side = sides[covers.argmin()]
        beside = (rights <= lefts[place, side]).all(axis=2) | (lefts >= rights[place, side]).all(axis=2)
        free &= beside | (np.abs(lows - lows[place, side]) >= _LINE)
        found.append(Label(place, *list(_SIDES)[side]))
    return found


def annotation(
    label: Label, word: str, at: Sequence[float], *, bold: bool = False, muted: bool = False
) -> dict[str, Any]:
    """Return the label as an annotation of a layout, or in three dimensions of a scene; axes are to be added."""
    short = escape(shortened(word, LETTERS))
    shift = {"left": _BESIDE, "right": -_BESIDE, "center": 0}[label.xanchor]
    rise = {"bottom": _ABOVE, "top": -_ABOVE, "middle": 0}[label.yanchor]
    return {
        **dict(zip("xyz", map(float, at), strict=False)),
        "text": f"<b>{short}</b>" if bold else short,
        "showarrow": False,
        "xanchor": label.xanchor,
        "yanchor": label.yanchor,
        "xshift": shift,
        "yshift": rise,
        "font": {"size": _SIZE, "color": theme.MUTED if muted else theme.INK},
    }


def shadow(places: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return where points (n, 3) in a unit cube are seen by the camera that a figure begins with, 0 to 1, (n, 2)."""
    eye = np.array([theme.TEMPLATE.layout.scene.camera.eye[axis] for axis in "xyz"])
    eye /= np.linalg.norm(eye)
    right = np.cross([0, 0, 1], eye)
    right /= np.linalg.norm(right)
    seen = (places - 0.5) @ np.array([right, np.cross(eye, right)]).T
    return np.asarray(0.5 + seen / np.sqrt(3))
