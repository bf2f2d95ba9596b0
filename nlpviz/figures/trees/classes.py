"""The five classes of one phrase, by several networks or epochs."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from nlpviz.figures import panels, theme
from nlpviz.figures.trees.marks import SIGNS
from nlpviz.figures.view import FigureView, provenance
from nlpviz.results.trees import NodeAnswers
from nlpviz.text.vocabulary import shortened

_SYMBOLS = ("circle", "square", "diamond", "triangle-up", "x", "star", "cross", "hexagon")
_DASHES = ("solid", "dash", "dot", "dashdot")


def node_classes(results: Sequence[NodeAnswers], node: int, names: Sequence[str]) -> FigureView:
    """Return a line for each result: the probability of each class at ``node``."""
    first = results[0]
    titles = [f"{one.title}, epoch {one.epoch}" for one in results]
    drawn = theme.figure(
        [
            go.Scatter(
                x=list(range(len(names))), y=[float(share) for share in one.probabilities[node]], name=title,
                mode="lines+markers", line={"color": theme.CATEGORIES[2 + place % 6], "dash": _DASHES[place % 4]},
                marker={"symbol": _SYMBOLS[place % 8], "size": 10},
                hovertemplate="%{y:.1%}",
            )
            for place, (one, title) in enumerate(zip(results, titles, strict=True))
        ],
        height=300, y="probability", showlegend=len(results) > 1, hovermode="x",
        xaxis={
            "tickvals": list(range(len(names))), "range": [-0.3, len(names) - 0.7], "showgrid": False,
            "zeroline": False,
            "ticktext": [f"{sign}<br>{name}" for sign, name in zip(SIGNS, names, strict=True)],
        },
        yaxis={"range": [0, 1.02], "tickformat": ".0%"},
    )  # fmt: skip
    phrase = shortened(first.tree.phrase(node), 80)
    said = "; ".join(
        f"{title}: "
        + ", ".join(f"{name} {share:.0%}" for name, share in zip(names, one.probabilities[node], strict=True))
        for one, title in zip(results, titles, strict=True)
    )
    return FigureView(
        figure=drawn,
        alt=f"Class probabilities of “{phrase}”. {said}.",
        table={
            "class": list(names),
            **{title: one.probabilities[node].tolist() for one, title in zip(results, titles, strict=True)},
        },
        caption=provenance(panels.checkpoints(results), f"“{phrase}”"),
        name=panels.file_name(results, "classes"),
    )
