"""In which share of the contrasts “X but Y” networks are right, with 95% intervals, one a row."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from nlpviz.figures import theme
from nlpviz.figures.view import FigureView, provenance, table_of
from nlpviz.results.tree_cases import TreeCases, contrasts_right
from nlpviz.stats.significance import wilson

_ROW, _ROUND = 34, 92  # pixels
_WHAT = "X, Y and the whole phrase all classified correctly"


def contrast_shares(networks: Sequence[TreeCases]) -> FigureView:
    """Return the shares as points with Wilson's intervals, the largest on top.

    Args:
        networks: all on the same contrasts.
    """
    ranked = sorted(((one.title, contrasts_right(one)) for one in networks), key=lambda row: -row[1].share)
    ends = [wilson(right.share, right.nodes) for _, right in ranked]
    shares = [right.share for _, right in ranked]
    drawn = theme.figure(
        [
            go.Scatter(
                x=shares, y=list(range(len(ranked))), mode="markers", marker={"color": theme.MAGNITUDE, "size": 11},
                error_x=theme.whiskers(shares, ends, theme.MAGNITUDE, thickness=2, width=4),
                hoverinfo="text",
                hovertext=[
                    f"{theme.plain(title)}: {right.right:,} of {right.nodes:,}, {low:.1%} to {high:.1%}"
                    for (title, right), (low, high) in zip(ranked, ends, strict=True)
                ],
            )
        ],
        height=_ROW * len(ranked) + _ROUND, x=_WHAT, xaxis={"range": [-0.02, 1.02], "tickformat": ".0%"},
        yaxis=theme.row_axis([theme.plain(title.removesuffix(" on SST")) for title, _ in ranked]),
    )  # fmt: skip
    said = "; ".join(f"{title} {right.right:,} of {right.nodes:,}" for title, right in ranked)
    return FigureView(
        figure=drawn,
        alt=f"{_WHAT}: {said}.",
        table=table_of(
            ("network", "right", "of", "share", "from", "to"),
            [(title, *right, right.share, *interval) for (title, right), interval in zip(ranked, ends, strict=True)],
        ),
        caption=provenance(
            f"{ranked[0][1].nodes} contrasts of the test split with three non-neutral phrases",
            "95% Wilson intervals",
        ),
        name="trees-contrast",
    )
