"""Accuracy by how many words a phrase has, one line a network."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from nlpviz.figures import direct_labels, theme
from nlpviz.figures.view import FigureView, provenance, table_of
from nlpviz.results.trees import GROUPS, MEASURES, LengthAccuracy
from nlpviz.stats.significance import wilson

_SYMBOLS = ("circle", "square", "diamond", "triangle-up", "x", "star", "cross", "hexagon")
_DASHES = ("solid", "dash", "dot", "dashdot")


def accuracy_by_length(networks: Mapping[str, Sequence[LengthAccuracy]], group: str, measure: str) -> FigureView:
    """Return a line for each network, its accuracy at phrases of each length.

    Args:
        networks: by title; all with the same lengths.
        group: of nodes, a key of :data:`nlpviz.results.trees.GROUPS`.
        measure: a key of :data:`nlpviz.results.trees.MEASURES`.
    """
    what, first = f"accuracy on {GROUPS[group]}, {MEASURES[measure]}", next(iter(networks.values()))
    lengths = [one.lengths for one in first]
    drawn = direct_labels.figure(
        [
            go.Scatter(
                x=lengths, y=[one.accuracy.share for one in rows], name=theme.plain(title.removesuffix(" on SST")),
                mode="lines+markers", hoverinfo="text", hovertext=[_hover(title, one) for one in rows],
                line={"color": theme.CATEGORIES[(2 + place) % 8], "dash": _DASHES[place % 4]},
                marker={"symbol": _SYMBOLS[place % 8], "size": 9},
            )
            for place, (title, rows) in enumerate(networks.items())
        ],
        height=480, main=_best(networks), x="words in the phrase", y=what,
        yaxis={"tickformat": ".0%"}, xaxis={"type": "category"},
    )  # fmt: skip
    rows = [(title, one) for title, own in networks.items() for one in own]
    said = "; ".join(
        f"{title}: " + ", ".join(f"{one.lengths} words {one.accuracy.share:.0%}" for one in own)
        for title, own in networks.items()
    )
    return FigureView(
        figure=drawn,
        alt=f"{what} by length. {said}.",
        table=table_of(
            ("network", "words", "right", "of", "accuracy"),
            [(title, one.lengths, *one.accuracy, one.accuracy.share) for title, one in rows],
        ),
        caption=provenance(f"{sum(one.nodes for one in first):,} {GROUPS[group]} of the test split, best epochs"),
        name="trees-accuracy-by-length",
    )


def _best(networks: Mapping[str, Sequence[LengthAccuracy]]) -> list[str]:
    """Return the names of the networks that are right most often, as many as have colours."""
    right = {title: sum(one.right for one in rows) for title, rows in networks.items()}
    ranked = sorted(right, key=lambda title: -right[title])
    return [theme.plain(title.removesuffix(" on SST")) for title in ranked[: direct_labels.COLOURED]]


def _hover(title: str, one: LengthAccuracy) -> str:
    low, high = wilson(one.accuracy.share, one.nodes)
    return (
        f"{theme.plain(title)}, {one.lengths} words: {one.accuracy.share:.1%} of {one.nodes:,}<br>"
        f"95% interval {low:.1%} to {high:.1%}"
    )
