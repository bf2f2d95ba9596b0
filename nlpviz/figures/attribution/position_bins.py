"""Where in a text a method's magnitudes lie, fifth by fifth, beside those of a word list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

import numpy as np
import plotly.graph_objects as go

from nlpviz.figures import panels, theme
from nlpviz.figures.numbers import number
from nlpviz.figures.view import FigureView, Table, provenance
from nlpviz.results.position_bins import PARTS, Fifths

_NAMES = ("first", "second", "third", "fourth", "last")


def fifth_bars(found: Fifths, titles: Mapping[str, str]) -> FigureView:
    """Return the bars, two for each fifth, over the correlation of the two orders within it.

    Args:
        found: of one text.
        titles: of both orders, as people call them, by name.
    """
    shares = ((found.method, found.share, theme.MAGNITUDE), (found.other, found.other_share, theme.MUTED))
    written = [number(value, ".2f") if not np.isnan(value) else "–" for value in found.correlation.tolist()]
    top = float(max(found.share.max(), found.other_share.max(), 1 / PARTS))
    drawn = theme.figure(
        [
            go.Bar(
                x=list(_NAMES), y=share, name=escape(titles[name]), marker={"color": color},
                hovertemplate=f"{escape(titles[name])}: %{{y:.0%}}<extra></extra>",
            )
            for name, share, color in shares
        ],
        height=300,
        margin={"t": 56},
        barmode="group",
        legend={"yref": "container", "y": 0.99, "yanchor": "top"},
        xaxis={
            "tickvals": list(_NAMES), "title": {"text": "fifth of the text · rank correlation within it"},
            "ticktext": [f"{name}<br>{one}" for name, one in zip(_NAMES, written, strict=True)],
        },
        yaxis={"title": {"text": "share of the total magnitude"}, "tickformat": ".0%", "range": [0, 1.1 * top]},
        shapes=[theme.line_at(y=1 / PARTS, dash="dash", xref="paper")],
    )  # fmt: skip
    return FigureView(
        figure=drawn,
        alt=_alt(found, titles, written),
        table=_table(found, titles),
        caption=provenance(
            panels.checkpoints([found]), f"{found.method} compared with {found.other}", f"{found.starts[-1]:,} tokens",
            "dashed: equal shares",
        ),
        name=panels.file_name([found], f"{found.method}-fifths"),
    )  # fmt: skip


def _alt(found: Fifths, titles: Mapping[str, str], written: Sequence[str]) -> str:
    rows = [
        f"{name} {own:.0%} and {other:.0%}, correlation {one}"
        for name, own, other, one in zip(_NAMES, found.share, found.other_share, written, strict=True)
    ]
    return (
        f"Shares of the total magnitude of {titles[found.method]} and of {titles[found.other]} in each fifth of the "
        f"text, with the rank correlation within it: {'; '.join(rows)}."
    )


def _table(found: Fifths, titles: Mapping[str, str]) -> Table:
    return {
        "fifth": list(_NAMES),
        "tokens": np.diff(found.starts).tolist(),
        titles[found.method]: found.share.tolist(),
        titles[found.other]: found.other_share.tolist(),
        "rank correlation within": found.correlation,
    }
