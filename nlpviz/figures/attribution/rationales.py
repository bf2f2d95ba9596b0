"""How near methods come to what people marked: mean average precisions with intervals, beside chance and word lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

import plotly.graph_objects as go

from nlpviz.figures import theme
from nlpviz.figures.view import FigureView, Table, provenance, table_of
from nlpviz.results.rationales import AgainstPeople, Mean

_ROW, _ROUND = 28, 96  # pixels: of an order, of what is round the rows


def rationale_dots(found: AgainstPeople, titles: Mapping[str, str]) -> FigureView:
    """Return a row for each order, the best one first; what asks no network is a grey square.

    Args:
        found: over some texts.
        titles: of the orders, as people call them, by name.
    """
    order = found.best_first
    rows = [escape(titles[name]) for name in order]
    means, random = [found.of(name) for name in order], found.random
    own = [(row, mean) for name, row, mean in zip(order, rows, means, strict=True) if found.asks_network(name)]
    other = [(row, mean) for name, row, mean in zip(order, rows, means, strict=True) if not found.asks_network(name)]
    dots = [_dots("method", own, theme.MAGNITUDE), _dots("ignores the network", other, theme.MUTED)]
    low, high = random.interval
    ends = [end for mean in (*means, random) for end in mean.interval]
    drawn = theme.figure(
        [dot for dot in dots if len(dot.x)],
        height=_ROW * len(rows) + _ROUND,
        margin={"t": 40, "l": 150},
        legend={"yref": "container", "y": 0.99, "yanchor": "top"},
        xaxis={
            "title": {"text": "mean average precision"}, "range": [max(min(ends) - 0.03, 0), max(ends) + 0.03],
        },
        yaxis={
            "type": "category", "categoryorder": "array", "categoryarray": rows, "range": [len(rows) - 0.5, -0.5],
            "showgrid": True,
        },
        shapes=[
            {
                "type": "rect", "x0": low, "x1": high, "y0": 0, "y1": 1, "xref": "x", "yref": "paper",
                "fillcolor": theme.GRID, "line": {"width": 0}, "layer": "below",
            },
            theme.line_at(random.mean, width=1.5, dash="dash", xref="x", yref="paper", layer="below"),
        ],
    )  # fmt: skip
    return FigureView(
        figure=drawn,
        alt=_alt(found, titles),
        table=_table(found, titles),
        caption=provenance(
            f"{found.run} · epoch {found.epoch}",
            f"{len(found.numbers):,} texts of {found.source}",
            "95% intervals over texts (Student’s t)",
            "dashed: random orders (exact)",
        ),
        name=f"{found.run}-rationales",
    )


def mean_said(one: Mean) -> str:
    """Return a mean with its interval: ``"0.31 (0.27 to 0.35)"``."""
    return f"{one.mean:.2f} ({one.interval.low:.2f} to {one.interval.high:.2f})"


def _dots(name: str, rows: Sequence[tuple[str, Mean]], color: str) -> go.Scatter:
    return go.Scatter(
        x=[mean.mean for _, mean in rows], y=[row for row, _ in rows], mode="markers", name=name,
        marker={"size": 11, "color": color, "symbol": "circle" if color == theme.MAGNITUDE else "square"},
        error_x=theme.whiskers([mean.mean for _, mean in rows], [mean.interval for _, mean in rows], color),
        hovertext=[f"{row}: {mean_said(mean)}" for row, mean in rows], hoverinfo="text",
    )  # fmt: skip


def _alt(found: AgainstPeople, titles: Mapping[str, str]) -> str:
    rows = "; ".join(f"{titles[name]} {mean_said(found.of(name))}" for name in found.best_first)
    return (
        f"Mean average precision against the words that people marked in {len(found.numbers):,} texts: {rows}; random "
        f"orders "
        f"{mean_said(found.random)}."
    )


def _table(found: AgainstPeople, titles: Mapping[str, str]) -> Table:
    random = found.random
    return table_of(
        ("order", "uses the network", "average precision", "from", "to", "gain over random orders"),
        [
            *(
                (titles[name], str(found.asks_network(name)).lower(), own.mean, *own.interval, found.over(name).mean)
                for name, own in ((name, found.of(name)) for name in found.best_first)
            ),
            ("random orders", "false", random.mean, *random.interval, 0.0),
        ],
    )
