"""Words between two typed axes: one panel a source, every panel on the same axes, zero in the same place."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from nlpviz.figures import map_panels, theme
from nlpviz.figures.map_labels import Label, annotation, filling, fitting
from nlpviz.figures.numbers import number as number_of
from nlpviz.figures.phone import NARROW
from nlpviz.figures.view import FigureView, Table, provenance
from nlpviz.results.word_queries import Axes
from nlpviz.text.vocabulary import shortened

_ONE, _SEVERAL = ((290.0, 2400.0), 60), ((130.0, 650.0), 24)
"""The widths of a panel in pixels, on a phone and on a screen, and the most labels."""
_LETTERS, _LETTERS_BESIDE = 22, 16  # of a pole's name
_POLE: dict[str, Any] = {
    "xref": "paper", "yref": "paper", "showarrow": False, "font": {"size": 14, "color": theme.INK},
}  # fmt: skip
_BELOW: dict[str, Any] = {"yanchor": "top", "yshift": -22}
_LEFT: dict[str, Any] = {"xanchor": "right", "xshift": -34, "textangle": -90}


def word_axes(panels: Sequence[Axes], about: str, *, height: int = 560) -> FigureView:
    """Return the words by their cosines with both axes, side by side; more than two panels stand in rows of two.

    Args:
        panels: one a source, of the same two axes.
        about: which words these are, for the caption.
        height: of the figure where its panels stand in one row, in pixels.
    """
    names = panels[0].names
    whole = map_panels.whole_height(len(panels), height)
    top = map_panels.HEADING if len(panels) > 1 else 12
    drawn = theme.figure(
        height=whole, showlegend=False, margin={"t": top, "r": 12, "l": 64, "b": 56}, meta=map_panels.MAP
    )
    limits = [_limits([getattr(panel, axis) for panel in panels]) for axis in ("x", "y")]
    gap = 70 / (whole - top) if len(panels) > map_panels.IN_A_ROW else 0.0
    notes: list[dict[str, Any]] = []
    for position, panel in enumerate(panels):
        domain = map_panels.cell(position, len(panels), gap)
        _add(drawn, position, panel, domain, limits)
        high = (whole - top - drawn.layout.margin.b) * (domain["y"][1] - domain["y"][0])
        notes += _labels(panel, position + 1, limits, high, several=len(panels) > 1)
        notes += _poles(names, position, len(panels), domain)
        if len(panels) > 1:
            notes.append(map_panels.title(domain, f"<b>{escape(panel.source)}</b>"))
    drawn.update_layout(annotations=notes, uirevision=" ".join(names))
    return FigureView(
        figure=drawn,
        alt=_alt(panels),
        table=_table(panels),
        caption=provenance(
            "; ".join(dict.fromkeys(panel.source for panel in panels)), about, f"x: {names[0]}", f"y: {names[1]}"
        ),
        name="word-axes",
    )


def _limits(values: Sequence[NDArray[np.float32]]) -> list[float]:
    """Return limits that hold all values and zero, with room at the edges for labels."""
    together = np.concatenate([*values, np.zeros(1, dtype=np.float32)])
    room = 0.08 * float(np.ptp(together)) or 0.1
    return [float(together.min()) - room, float(together.max()) + room]


def _add(
    drawn: go.Figure, position: int, panel: Axes, domain: dict[str, tuple[float, float]], limits: list[list[float]]
) -> None:
    """Draw the words of one panel and its axes."""
    number, axes = position + 1, panel
    drawn.add_trace(
        go.Scatter(
            x=axes.x, y=axes.y, mode="markers", customdata=list(axes.words),
            marker={"color": theme.MAGNITUDE, "size": 7, "opacity": 0.7}, hoverinfo="text",
            hovertext=[
                f"{escape(word)}: cosine {number_of(x)} along x, {number_of(y)} along y"
                for word, x, y in zip(axes.words, axes.x, axes.y, strict=True)
            ],
            xaxis=f"x{number}", yaxis=f"y{number}",
        )
    )  # fmt: skip
    same = {"zeroline": True, "nticks": 5}
    first = position % map_panels.IN_A_ROW == 0
    drawn.update_layout(
        {
            f"xaxis{number}": {
                **same, "domain": domain["x"], "anchor": f"y{number}", "range": limits[0], "matches": "x",
            },
            f"yaxis{number}": {
                **same, "domain": domain["y"], "anchor": f"x{number}", "range": limits[1], "matches": "y",
                "showticklabels": first,
            },
        }
    )  # fmt: skip


def _labels(
    axes: Axes, number: int, limits: list[list[float]], height: float, *, several: bool
) -> list[dict[str, Any]]:
    """Return the labels of a panel: first those of the words that lie farthest out.

    In a wide figure of one panel and a list of words all of them have one, at the end of a line where need be.
    """
    lows, highs = np.array(limits).T
    positions = np.stack([axes.x, axes.y], axis=1)
    order = np.argsort(-np.abs(positions / (highs - lows)).max(axis=1), kind="stable")
    ends = [pick(values) for values in (axes.x, axes.y) for pick in (np.argmin, np.argmax)]
    order = np.array(list(dict.fromkeys([*map(int, ends), *order.tolist()])))
    words = [axes.words[position] for position in order]
    suffix = "" if number == 1 else str(number)
    here = {"xref": f"x{suffix}", "yref": f"y{suffix}"}
    shares = (positions[order] - lows) / (highs - lows)
    led = len(words) if len(words) <= _ONE[1] else len(ends)

    def annotated(label: Label) -> dict[str, Any]:
        return annotation(label, words[label.position], positions[order[label.position]].tolist()) | here

    if several:
        return [annotated(one) for one in fitting(filling(shares, _SEVERAL[0], height), words, _SEVERAL[1], led=4)]
    slim, wide = (
        fitting(filling(shares, widths, height), words, _ONE[1], led=led)
        for widths in ((_ONE[0][0], float(NARROW)), (float(NARROW), _ONE[0][1]))
    )
    return [
        *(annotated(label) for label in wide if label in slim),
        *(annotated(label) | {"name": "where wide"} for label in wide if label not in slim),
        *(annotated(label) | {"name": "where narrow", "visible": False} for label in slim if label not in wide),
    ]


def _poles(names: tuple[str, str], position: int, count: int, domain: dict[str, tuple[float, float]]) -> list[Any]:
    """Return the poles at the ends of the axes: under a panel of the last row, and left of the first of each row."""
    letters = _LETTERS if count == 1 else _LETTERS_BESIDE
    notes = []
    if position + map_panels.IN_A_ROW >= count:
        for share, text in enumerate(_ends(names[0], letters)):
            anchor = ("left", "right")[share]
            notes.append({"x": domain["x"][share], "y": domain["y"][0], "xanchor": anchor, "text": text} | _BELOW)
    if position % map_panels.IN_A_ROW == 0:
        for share, text in enumerate(_ends(names[1], letters)):
            anchor = ("bottom", "top")[share]
            notes.append({"x": domain["x"][0], "y": domain["y"][share], "yanchor": anchor, "text": text} | _LEFT)
    return [note | _POLE for note in notes if note["text"]]


def _ends(name: str, letters: int) -> tuple[str, str]:
    """Return what is written at the low and at the high end of an axis; nothing at the low one of a sum of words."""
    more, parted, less = (part.strip() for part in name.partition("|"))
    if not parted:
        terms = name.split(" - ")
        if len(terms) == 2 and "+" not in name:
            more, less = terms
    low = f"← {theme.plain(shortened(less, letters))}" if less else ""
    return low, f"{theme.plain(shortened(more.replace(' - ', ' − '), letters))} →"


def _alt(panels: Sequence[Axes]) -> str:
    parts = []
    for panel in panels:
        axes = panel
        ends = [
            f"{axes.words[int(pick)]}" for values in (axes.x, axes.y) for pick in (values.argmin(), values.argmax())
        ]
        parts.append(f"{panel.source}: along x from {ends[0]} to {ends[1]}, along y from {ends[2]} to {ends[3]}")
    x, y = panels[0].names
    return f"{len(panels[0].words)} words by their cosine with {x} and with {y}. {'; '.join(parts)}."


def _table(panels: Sequence[Axes]) -> Table:
    """Return a row for each word, with its cosines in each source that knows it."""
    words = list(dict.fromkeys(word for panel in panels for word in panel.words))
    table: Table = {"word": words}
    for panel in panels:
        for axis, values in (("x", panel.x), ("y", panel.y)):
            known = dict(zip(panel.words, values.tolist(), strict=True))
            table[f"cosine with {axis}, {panel.source}"] = np.array(
                [known.get(word, np.nan) for word in words], dtype=np.float32
            )
    return table
