"""How well each method's order does between the worst and the best order found, beside random orders."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from html import escape
from typing import Any

import numpy as np
import plotly.graph_objects as go

from nlpviz.figures import panels, phone, theme
from nlpviz.figures.view import FigureView, Table, provenance
from nlpviz.results.faithfulness import Faithfulness, Floats

_ROW, _ROUND, _TITLE = 26, 96, 30  # pixels: of a method, of what is round the rows, of a panel's title
_ENDS = {"tickvals": [0, 0.25, 0.5, 0.75, 1], "ticktext": ["worst", "0.25", "0.5", "0.75", "best"]}
_MEASURES = ("comprehensiveness", "sufficiency")


def faithfulness_dots(
    found: Faithfulness, titles: Mapping[str, str], muted: Collection[str] = frozenset()
) -> FigureView:
    """Return two panels, a row for each method, the most comprehensive one first: grey is the range of random orders.

    Args:
        found: of a text whose best and worst order differ.
        titles: of the methods, as people call them, by name.
        muted: those that ask no network.
    """
    order = by_comprehensiveness(found)
    rows = [escape(titles[found.methods[position]]) for position in order]
    values = (found.comprehensiveness, found.sufficiency)
    colors = [theme.MUTED if found.methods[position] in muted else theme.MAGNITUDE for position in order]
    random = [
        found.normalised(each, measure)
        for measure, each in enumerate((found.random_comprehensiveness, found.random_sufficiency))
    ]
    dots = [
        go.Scatter(
            x=found.normalised(values[measure], measure)[order], y=rows, mode="markers", xaxis=f"x{measure + 1}",
            yaxis=f"y{measure + 1}", marker={"size": 11, "color": colors, "symbol": symbol},
            customdata=values[measure][order], hovertemplate="%{y}: %{x:.2f} (raw %{customdata:.3f})<extra></extra>",
        )
        for measure, symbol in enumerate(("circle", "diamond"))
    ]  # fmt: skip
    height = _ROW * len(rows)
    scale = {"range": [-0.04, 1.04], **_ENDS}
    names = {"type": "category", "range": [len(rows) - 0.5, -0.5], "showgrid": True}
    drawn = theme.figure(
        dots,
        height=height + _ROUND,
        showlegend=False,
        margin={"t": _TITLE + 8, "l": 150},
        xaxis={"domain": [0, 0.48], "anchor": "y", **scale},
        xaxis2={"domain": [0.52, 1], "anchor": "y2", **scale},
        yaxis={"anchor": "x", **names},
        yaxis2={"anchor": "x2", "showticklabels": False, **names},
        shapes=[shape for measure, each in enumerate(random) for shape in _band(each, measure)],
        annotations=[
            {
                "text": f"<b>{measure}</b>", "xref": f"{panels.axis('x', number)} domain", "x": 0, "xanchor": "left",
                "yref": f"{panels.axis('y', number)} domain", "y": 1, "yanchor": "bottom", "showarrow": False,
            }
            for number, measure in enumerate(_MEASURES, start=1)
        ],
        meta=phone.where_narrow(
            {
                "xaxis.domain": [0, 1], "xaxis2.domain": [0, 1], "yaxis.domain": [0.56, 1], "yaxis2.domain": [0, 0.42],
                "yaxis2.showticklabels": True,
            },
            2 * height + 2 * _ROUND,
        ),
    )  # fmt: skip
    return FigureView(
        figure=drawn,
        alt=_alt(found, titles, order, random),
        table=_table(found, order),
        caption=provenance(
            panels.checkpoints([found]),
            f"target {found.target}",
            said_of_search(found),
            f"grey: range and mean of {len(found.random_removed)} random orders, seed {found.seed}",
        ),
        name=panels.file_name([found], "methods-compared"),
    )


def by_comprehensiveness(found: Faithfulness) -> list[int]:
    """Return the positions of the methods, the most comprehensive one first."""
    order: list[int] = np.argsort(-found.comprehensiveness, kind="stable").tolist()
    return order


def said_of_search(found: Faithfulness) -> str:
    """Return how the best and the worst order were found: ``"80 tokens in 24 groups, beam search of width 5"``."""
    bounds = found.bounds
    grouped = f" in {bounds.groups} groups of neighbouring words" if bounds.groups < bounds.tokens else ""
    how = f"beam search of width {bounds.width}" if bounds.width else "exhaustive search"
    return f"{bounds.tokens:,} token{'s' * (bounds.tokens != 1)}{grouped}, {how}"


def _band(random: Floats, measure: int) -> list[dict[str, Any]]:
    """Return the range of random orders and their mean, as shapes of a panel."""
    axes = {"xref": panels.axis("x", measure + 1), "yref": f"{panels.axis('y', measure + 1)} domain", "y0": 0, "y1": 1}
    low, high, mean = float(random.min()), float(random.max()), float(random.mean())
    return [
        {
            "type": "rect", "x0": low, "x1": high, "fillcolor": theme.GRID, "line": {"width": 0}, "layer": "below",
            **axes,
        },
        {
            "type": "line", "x0": mean, "x1": mean, "layer": "below",
            "line": {"color": theme.MUTED, "dash": "dash", "width": 1.5}, **axes,
        },
    ]  # fmt: skip


def _alt(found: Faithfulness, titles: Mapping[str, str], order: Sequence[int], random: Sequence[Floats]) -> str:
    said = []
    for measure, name in enumerate(_MEASURES):
        shares = found.normalised((found.comprehensiveness, found.sufficiency)[measure], measure)
        each = ", ".join(f"{titles[found.methods[position]]} {shares[position]:.2f}" for position in order)
        said.append(f"{name}: {each}; random orders {random[measure].min():.2f} to {random[measure].max():.2f}")
    return f"On this scale, 0 is the worst order found and 1 the best. {'. '.join(said)}."


def _table(found: Faithfulness, order: Sequence[int]) -> Table:
    """Return a row for each method, then the best and the worst order, then the random ones."""
    named = [found.methods[position] for position in order]
    rows = [
        *named,
        "best order",
        "worst order",
        *[f"random order {n}" for n in range(1, 1 + len(found.random_removed))],
    ]
    own = (found.comprehensiveness[order], found.sufficiency[order])
    random = (found.random_comprehensiveness, found.random_sufficiency)
    table: Table = {"order": rows}
    for measure, name in enumerate(_MEASURES):
        values = np.concatenate([own[measure], [found.best[measure], found.worst[measure]], random[measure]])
        table |= {name: values, f"{name}, normalised": found.normalised(values, measure)}
    return table
