"""In which share of the contrasts “X but Y” networks are right, with 95% intervals, one a row."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from nlpviz.figures import theme
from nlpviz.figures.view import FigureView, provenance
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
                error_x={
                    "type": "data", "symmetric": False, "thickness": 2, "width": 4, "color": theme.MAGNITUDE,
                    "array": [high - share for share, (_, high) in zip(shares, ends, strict=True)],
                    "arrayminus": [share - low for share, (low, _) in zip(shares, ends, strict=True)],
                },
                hoverinfo="text",
                hovertext=[
                    f"{theme.plain(title)}: {right.right:,} of {right.nodes:,}, {low:.1%} to {high:.1%}"
                    for (title, right), (low, high) in zip(ranked, ends, strict=True)
                ],
            )
        ],
        height=_ROW * len(ranked) + _ROUND, x=_WHAT, xaxis={"range": [-0.02, 1.02], "tickformat": ".0%"},
        yaxis={
            "range": [len(ranked) - 0.5, -0.5], "tickvals": list(range(len(ranked))), "showgrid": False,
            "zeroline": False, "ticktext": [theme.plain(title.removesuffix(" on SST")) for title, _ in ranked],
        },
    )  # fmt: skip
    said = "; ".join(f"{title} {right.right:,} of {right.nodes:,}" for title, right in ranked)
    return FigureView(
        figure=drawn,
        alt=f"{_WHAT}: {said}.",
        table={
            "network": [title for title, _ in ranked],
            "right": [right.right for _, right in ranked],
            "of": [right.nodes for _, right in ranked],
            "share": shares,
            "from": [low for low, _ in ends],
            "to": [high for _, high in ends],
        },
        caption=provenance(
            f"{ranked[0][1].nodes} contrasts of the test split with three non-neutral phrases",
            "95% Wilson intervals",
        ),
        name="trees-contrast",
    )
