"""Words written beside their points: the first of them that fit without touching each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlpviz.figures import theme
from nlpviz.text.vocabulary import shortened

LETTERS = 18
_SIZE, _LETTER, _BOLD, _LINE = 12, 6.6, 7.2, 18.0
"""Pixels: font, a letter's width, a bold one's, a line with what Plotly leaves round it."""
_WIDER = 3.5  # pixels that an m or a w is wider
_BESIDE, _ABOVE = 6.0, 3.0  # pixels from the point's middle to the label
# a side of the point, as the anchors of an annotation and the way of the label's middle from the point's
_SIDES: Mapping[tuple[str, str], tuple[float, float]] = {
    ("center", "bottom"): (0.0, 1.0), ("center", "top"): (0.0, -1.0), ("left", "middle"): (1.0, 0.0),
    ("right", "middle"): (-1.0, 0.0), ("left", "bottom"): (1.0, 1.0), ("right", "bottom"): (-1.0, 1.0),
    ("left", "top"): (1.0, -1.0), ("right", "top"): (-1.0, -1.0),
}  # fmt: skip

_OVER = {("center", "middle"): (0.0, 0.0)} | dict(_SIDES)
_FAR = tuple(
    (round(reach * np.cos(turn)), round(reach * np.sin(turn)))
    for reach in (26.0, 44.0, 66.0, 92.0, 120.0)
    for turn in np.linspace(0, 2 * np.pi, 16, endpoint=False)
)
"""Pixels to the right of the point and over it: where the middle of a label may stand that a line leads to."""
_HALO = {"shadow": ", ".join(f"{x}px {y}px 1px {theme.SURFACE}" for x in (-1, 1) for y in (-1, 1))}
"""Round the text, in the colour of the page: what keeps it readable on the points that it covers."""


class Label(NamedTuple):
    """A label that fits: of the point at ``position``, on the side that two anchors of Plotly's name.

    ``away`` are the pixels to the right and up to the middle of a label that stands off its point, at a line's end.
    """

    position: int
    xanchor: str
    yanchor: str
    away: tuple[int, int] | None = None


class PanelPoints(NamedTuple):
    """The points of a panel in pixels, at its smallest and at its largest: what stands between lies between.

    Attributes:
        positions: (2, n, 2), from the lower left.
        sizes: (2, 2), width and height.
    """

    positions: NDArray[np.float64]
    sizes: NDArray[np.float64]


def filling(shares: NDArray[np.floating[Any]], widths: tuple[float, float], height: float) -> PanelPoints:
    """Return a panel whose axes fill it: points (n, 2) at shares of it, 0 to 1 each way."""
    sizes = np.array([[width, height] for width in widths])
    return PanelPoints(shares * sizes[:, None], sizes)


def to_scale(
    points: NDArray[np.floating[Any]],
    ranges: Sequence[Sequence[float]],
    widths: tuple[float, float],
    heights: tuple[float, float],
) -> PanelPoints:
    """Return a panel with ``points`` (n, 2) on axes of one unit, as large as its ``ranges`` can be in the room."""
    spans = np.ptp(ranges, axis=1)
    scale = np.array([min(np.array(room) / spans) for room in zip(widths, heights, strict=True)])[:, None]
    return PanelPoints((points - np.min(ranges, axis=1)) * scale[..., None], spans * scale)


def fitting(panel: PanelPoints, words: Sequence[str], most: int, *, over: bool = False, led: int = 0) -> list[Label]:
    """Return at most ``most`` labels that overlap neither each other nor the edge, however wide the panel is.

    Two labels that stand in the same order at the smallest and at the largest size do so at all between. A side where a
    label covers no point is taken before one where it does.

    Args:
        panel: its points, the most telling first.
        words: one for each.
        most: the number of labels.
        over: whether a label may stand on its own point, bold, before any side of it: nothing is drawn at the points.
        led: how many of the first words may stand off their points, at the end of a line, where no side is free.
    """
    every = _OVER if over else _SIDES
    across, high = panel.positions[..., 0], panel.positions[..., 1]  # (sizes, n)
    cut = [word[:LETTERS] for word in words]
    letters = np.array(
        [(_BOLD if over else _LETTER) * len(word) + _WIDER * sum(map(word.lower().count, "mw")) for word in cut]
    ).reshape(-1, 1)
    right, up = np.array(list(every.values())).T
    lefts = across[..., None] + right * (letters / 2 + _BESIDE) - letters / 2  # (sizes, n, sides)
    rights, lows = lefts + letters, high[..., None] + up * (_LINE / 2 + _ABOVE) - _LINE / 2
    width, height = panel.sizes.T[..., None, None]
    free = ((lefts >= 0) & (rights <= width) & (lows >= 0) & (lows <= height - _LINE)).all(axis=0)
    result: list[Label] = []
    far = np.array(_FAR)
    taken: list[tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]] = []

    def off(position: int) -> tuple[int, int] | None:
        """Return the nearest place off the point where the label touches no other one."""
        left = across[:, position, None] + far[:, 0] - letters[position] / 2  # (sizes, places)
        low = high[:, position, None] + far[:, 1] - _LINE / 2
        end = left + letters[position]
        wide, tall = panel.sizes.T[..., None]
        clear = ((left >= 0) & (end <= wide) & (low >= 0) & (low <= tall - _LINE)).all(axis=0)
        for one_left, one_right, one_low in taken:
            clear &= (
                (end <= one_left[:, None]) | (left >= one_right[:, None])
                | (low >= one_low[:, None] + _LINE) | (low <= one_low[:, None] - _LINE)
            ).all(axis=0)  # fmt: skip
        return _FAR[int(clear.argmax())] if clear.any() else None

    def take(left: NDArray[np.float64], end: NDArray[np.float64], low: NDArray[np.float64]) -> None:
        """Keep all other labels off the box of one, (sizes,) each."""
        taken.append((left, end, low))
        one_left, one_right, one_low = (edge[:, None, None] for edge in (left, end, low))
        free[:] &= (
            (rights <= one_left).all(axis=0) | (lefts >= one_right).all(axis=0)
            | (lows >= one_low + _LINE).all(axis=0) | (lows <= one_low - _LINE).all(axis=0)
        )  # fmt: skip

    for position in range(len(words)):
        if len(result) == most:
            break
        sides = np.flatnonzero(free[position])
        if not len(sides) and position < led and (away := off(position)) is not None:
            left = across[:, position] + away[0] - letters[position] / 2
            take(left, left + letters[position], high[:, position] + away[1] - _LINE / 2)
            result.append(Label(position, "center", "middle", away))
            continue
        if not len(sides):
            continue
        left, low = lefts[:, position, sides, None], lows[:, position, sides, None]
        inside = (across[:, None] > left) & (across[:, None] < rights[:, position, sides, None])
        inside[..., position] = False
        covers = (inside & (high[:, None] > low) & (high[:, None] < low + _LINE)).any(axis=(0, 2))
        side = sides[covers.argmin()]
        here = (slice(None), position, side)
        take(lefts[here], rights[here], lows[here])
        result.append(Label(position, *list(every)[side]))
    return result


def annotation(
    label: Label, word: str, at: Sequence[float], *, bold: bool = False, color: str = theme.INK
) -> dict[str, Any]:
    """Return the label as an annotation of a layout, or in three dimensions of a scene; axes are to be added."""
    short = escape(shortened(word, LETTERS))
    line: dict[str, Any] = {"showarrow": False}
    if label.away:
        right, up = label.away
        line = {
            "showarrow": True, "ax": right, "ay": -up, "arrowhead": 0, "arrowwidth": 0.8, "arrowcolor": theme.MUTED,
            "borderpad": 0,
        }  # fmt: skip
    shift = {"left": _BESIDE, "right": -_BESIDE, "center": 0}[label.xanchor]
    rise = {"bottom": _ABOVE, "top": -_ABOVE, "middle": 0}[label.yanchor]
    return {
        **dict(zip("xyz", map(float, at), strict=False)),
        "text": f"<b>{short}</b>" if bold else short,
        **line,
        "xanchor": label.xanchor,
        "yanchor": label.yanchor,
        "xshift": shift,
        "yshift": rise,
        "font": {"size": _SIZE, "color": color, **_HALO},
    }


def shadow(positions: NDArray[np.floating[Any]]) -> NDArray[np.float64]:
    """Return where points (n, 3), round 0.5 each way, are seen by the camera that a figure begins with, (n, 2).

    Those in a unit cube are seen from 0 to 1.
    """
    eye = np.array([theme.TEMPLATE.layout.scene.camera.eye[axis] for axis in "xyz"])
    eye /= np.linalg.norm(eye)
    right = np.cross([0, 0, 1], eye)
    right /= np.linalg.norm(right)
    seen = (positions - 0.5) @ np.array([right, np.cross(eye, right)]).T
    return np.asarray(0.5 + seen / np.sqrt(3))
