"""In which share of the contrasts “X but Y” networks are right, with 95% intervals, one a row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import plotly.graph_objects as go

from nlpviz.figures import theme
from nlpviz.figures.view import FigureView, provenance, table_of
from nlpviz.results.trees import Accuracy
from nlpviz.stats.significance import wilson

_ROW, _ROUND = 34, 92  # pixels
_WHAT = "X, Y and the whole phrase all classified correctly"


class ContrastsRight(NamedTuple):
    """One row: what a network is called, and of how many contrasts it has all three phrases right."""

    title: str
    counted: Accuracy


def contrasts_right(rows: Sequence[ContrastsRight]) -> FigureView:
    """Return the shares as points with Wilson's intervals, the largest on top.

    Args:
        rows: one a network, all of the same contrasts.
    """
    ranked = sorted(rows, key=lambda row: -row.counted.share)
    ends = [wilson(row.counted.share, row.counted.nodes) for row in ranked]
    shares = [row.counted.share for row in ranked]
    drawn = theme.figure(
        [
            go.Scatter(
                x=shares, y=list(range(len(ranked))), mode="markers", marker={"color": theme.MAGNITUDE, "size": 11},
                error_x=theme.whiskers(shares, ends, theme.MAGNITUDE, thickness=2, width=4),
                hoverinfo="text",
                hovertext=[
                    f"{theme.plain(row.title)}: {row.counted.right:,} of {row.counted.nodes:,}, {low:.1%} to {high:.1%}"
                    for row, (low, high) in zip(ranked, ends, strict=True)
                ],
            )
        ],
        height=_ROW * len(ranked) + _ROUND, x=_WHAT, xaxis={"range": [-0.02, 1.02], "tickformat": ".0%"},
        yaxis=theme.row_axis([theme.plain(row.title.removesuffix(" on SST")) for row in ranked]),
    )  # fmt: skip
    said = "; ".join(f"{row.title} {row.counted.right:,} of {row.counted.nodes:,}" for row in ranked)
    return FigureView(
        figure=drawn,
        alt=f"{_WHAT}: {said}.",
        table=table_of(
            ("network", "right", "of", "share", "from", "to"),
            [
                (row.title, row.counted.right, row.counted.nodes, row.counted.share, *interval)
                for row, interval in zip(ranked, ends, strict=True)
            ],
        ),
        caption=provenance(
            f"{rows[0].counted.nodes} contrasts of the test split with three non-neutral phrases",
            "95% Wilson intervals",
        ),
        name="trees-contrast",
    )
