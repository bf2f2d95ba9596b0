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
    spans = np.array([[widths[0], widths[1]]])  # (1, 2)
    lefts, rights, lows = np.zeros((0, 2)), np.zeros((0, 2)), np.zeros(0)  # of the labels that are there
    found: list[Label] = []
    points = np.asarray(places, dtype=np.float64)
    for place, (at, word) in enumerate(zip(points, words, strict=True)):
        if len(found) >= most:
            break
        width = _LETTER * min(len(word), LETTERS)
        allowed = []
        for anchors, (right, up) in _SIDES.items():
            left = at[0] * spans + right * (width / 2 + _BESIDE) - width / 2  # (1, 2)
            low = at[1] * height + up * (_LINE / 2 + _ABOVE) - _LINE / 2
            inside = left.min() >= 0 and (left + width <= spans).all() and 0 <= low <= height - _LINE
            beside = (rights <= left).all(axis=1) | (left + width <= lefts).all(axis=1)
            if inside and (beside | (np.abs(lows - low) >= _LINE)).all():
                across = points[:, :1] * spans
                covered = ((across > left) & (across < left + width)).any(axis=1)
                rows = points[:, 1] * height
                allowed.append((bool((covered & (rows > low) & (rows < low + _LINE)).any()), anchors, left, low))
                if not allowed[-1][0]:
                    break
        if allowed:
            _, anchors, left, low = min(allowed, key=lambda one: one[0])
            lefts, rights, lows = np.vstack([lefts, left]), np.vstack([rights, left + width]), np.append(lows, low)
            found.append(Label(place, *anchors))
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
