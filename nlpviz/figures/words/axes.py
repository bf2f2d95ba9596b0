"""Words between two typed axes: one panel a source, every panel on the same axes, zero in the same place."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any, NamedTuple

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from nlpviz.figures import map_panels, theme
from nlpviz.figures.map_labels import annotation, filling, fitting
from nlpviz.figures.view import FigureView, provenance
from nlpviz.results.relations import Axes
from nlpviz.text.vocabulary import shortened

_ONE, _SEVERAL = ((290.0, 1300.0), 60), ((130.0, 650.0), 24)
"""The widths of a panel in pixels, on a phone and on a screen, and the most labels."""
_LETTERS, _LETTERS_BESIDE = 40, 22  # of an axis's name


class AxesPanel(NamedTuple):
    """The words of one source along the axes, and the panel's title."""

    title: str
    axes: Axes


def word_axes(panels: Sequence[AxesPanel], about: str, *, height: int = 560) -> FigureView:
    """Return the words by their cosines with both axes, side by side; more than two panels stand in rows of two.

    Args:
        panels: one a source, of the same two axes.
        about: which words these are, for the caption.
        height: of the figure where its panels stand in one row, in pixels.
    """
    names = panels[0].axes.names
    whole = map_panels.whole_height(len(panels), height)
    top = map_panels.HEADING if len(panels) > 1 else 12
    drawn = theme.figure(height=whole, showlegend=False, margin={"t": top, "r": 12}, meta=map_panels.MAP)
    limits = [_limits([getattr(panel.axes, axis) for panel in panels]) for axis in ("x", "y")]
    gap = 70 / (whole - top) if len(panels) > map_panels.IN_A_ROW else 0.0
    notes: list[dict[str, Any]] = []
    for position, panel in enumerate(panels):
        domain = map_panels.cell(position, len(panels), gap)
        _add(drawn, position, panel, domain, limits)
        high = (whole - top - drawn.layout.template.layout.margin.b) * (domain["y"][1] - domain["y"][0])
        notes += _labels(panel.axes, position + 1, limits, high, several=len(panels) > 1)
        if len(panels) > 1:
            notes.append(map_panels.title(domain, f"<b>{escape(panel.title)}</b>"))
    _name_axes(drawn, names, len(panels))
    drawn.update_layout(annotations=notes, uirevision=" ".join(names))
    return FigureView(
        figure=drawn,
        alt=_alt(panels),
        table=_table(panels),
        caption=provenance(
            "; ".join(dict.fromkeys(panel.axes.source for panel in panels)), about, f"x: {names[0]}", f"y: {names[1]}"
        ),
        name="word-axes",
    )


def _limits(values: Sequence[NDArray[np.float32]]) -> list[float]:
    """Return limits that hold all values and zero, with room at the edges for labels."""
    together = np.concatenate([*values, np.zeros(1, dtype=np.float32)])
    room = 0.08 * float(np.ptp(together)) or 0.1
    return [float(together.min()) - room, float(together.max()) + room]


def _add(
    drawn: go.Figure, position: int, panel: AxesPanel, domain: dict[str, tuple[float, float]], limits: list[list[float]]
) -> None:
    """Draw the words of one panel and its axes."""
    number, axes = position + 1, panel.axes
    drawn.add_trace(
        go.Scatter(
            x=axes.x, y=axes.y, mode="markers", customdata=list(axes.words),
            marker={"color": theme.MAGNITUDE, "size": 7, "opacity": 0.7}, hoverinfo="text",
            hovertext=[
                f"{escape(word)}: x {x:+.3f}, y {y:+.3f}" for word, x, y in zip(axes.words, axes.x, axes.y, strict=True)
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
    """Return the labels of a panel: first those of the words that lie farthest out."""
    widths, most = _SEVERAL if several else _ONE
    lows, highs = np.array(limits).T
    positions = np.stack([axes.x, axes.y], axis=1)
    order = np.argsort(-np.abs(positions / (highs - lows)).max(axis=1), kind="stable")
    words = [axes.words[position] for position in order]
    suffix = "" if number == 1 else str(number)
    here = {"xref": f"x{suffix}", "yref": f"y{suffix}"}
    shares = (positions[order] - lows) / (highs - lows)
    return [
        annotation(label, words[label.position], positions[order[label.position]].tolist()) | here
        for label in fitting(filling(shares, widths, height), words, most)
    ]


def _name_axes(drawn: go.Figure, names: tuple[str, str], count: int) -> None:
    """Write what the axes are, under the first panel of the last row and beside the first of each row."""
    last = (count - 1) // map_panels.IN_A_ROW * map_panels.IN_A_ROW + 1
    letters = _LETTERS if count == 1 else _LETTERS_BESIDE
    drawn.update_layout({f"xaxis{last}": {"title": {"text": _ends(names[0], letters)}}})
    for number in range(1, count + 1, map_panels.IN_A_ROW):
        drawn.update_layout({f"yaxis{number}": {"title": {"text": _ends(names[1], letters)}}})


def _ends(name: str, letters: int) -> str:
    """Return the name of an axis with its negative end on the left, where it has two."""
    more, parted, less = (part.strip() for part in name.partition("|"))
    short = [shortened(part, letters) for part in (less, more)]
    return f"← {escape(short[0])} · {escape(short[1])} →" if parted else f"{escape(short[1])} →"


def _alt(panels: Sequence[AxesPanel]) -> str:
    parts = []
    for panel in panels:
        axes = panel.axes
        ends = [
            f"{axes.words[int(pick)]}" for values in (axes.x, axes.y) for pick in (values.argmin(), values.argmax())
        ]
        parts.append(f"{panel.title}: along x from {ends[0]} to {ends[1]}, along y from {ends[2]} to {ends[3]}")
    x, y = panels[0].axes.names
    return f"{len(panels[0].axes.words)} words by their cosine with {x} and with {y}. {'; '.join(parts)}."


def _table(panels: Sequence[AxesPanel]) -> dict[str, Any]:
    """Return a row for each word, with its cosines in each source that knows it."""
    words = list(dict.fromkeys(word for panel in panels for word in panel.axes.words))
    table: dict[str, Any] = {"word": words}
    for panel in panels:
        for axis, values in (("x", panel.axes.x), ("y", panel.axes.y)):
            known = dict(zip(panel.axes.words, values.tolist(), strict=True))
            table[f"cosine with {axis}, {panel.title}"] = np.array(
                [known.get(word, np.nan) for word in words], dtype=np.float32
            )
    return table
