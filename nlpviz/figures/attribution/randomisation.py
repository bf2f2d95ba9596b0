"""What is left of an explanation as layers are drawn anew: a row for each, from the top layer down."""

from __future__ import annotations

import plotly.graph_objects as go

from nlpviz.figures import panels, theme
from nlpviz.figures.numbers import number
from nlpviz.figures.view import FigureView, provenance
from nlpviz.results.randomisation import Randomisation

_ROW, _BELOW = 30, 60  # pixels: of a layer, under the last one
_UNTOUCHED = "none"


def cascade(result: Randomisation, title: str) -> FigureView:
    """Return the rank correlations with the original by layer, beside what unrelated rankings reach.

    Args:
        result: of one text by one method.
        title: the method's, as people call it.
    """
    top = 40 if result.signed else 16  # room for a key
    rows = [_UNTOUCHED, *result.layers]
    lines = [("ranks with their signs" if result.signed else "ranks", result.scores, "circle", theme.MAGNITUDE)]
    if result.signed:
        lines.append(("ranks without signs", result.magnitudes, "diamond-open", theme.MUTED))
    drawn = theme.figure(
        [
            go.Scatter(
                x=[1.0, *values.tolist()], y=rows, mode="lines+markers", name=name,
                line={"color": color, "width": 2, "dash": "solid" if symbol == "circle" else "dot"},
                marker={"symbol": symbol, "size": 8, "color": color}, hovertemplate="%{y}: %{x:+.2f}",
            )
            for name, values, symbol, color in lines
        ],
        height=_ROW * len(rows) + _BELOW + top,
        x="rank correlation with the original",
        xaxis={"range": [-1.05, 1.05], "tickvals": [-1, -0.5, 0, 0.5, 1], "zeroline": True},
        yaxis={"autorange": "reversed", "type": "category", "showgrid": False},
        margin={"t": top},
        showlegend=result.signed,
        shapes=[
            {
                "type": "rect", "x0": -result.unrelated, "x1": result.unrelated, "yref": "paper", "y0": 0, "y1": 1,
                "fillcolor": theme.GRID, "line": {"width": 0}, "layer": "below",
            }
        ],
    )  # fmt: skip
    return FigureView(
        figure=drawn,
        alt=_alt(result, title),
        table={
            "randomised, down to": list(rows),
            "rank correlation": [1.0, *result.scores.tolist()],
            "without signs": [1.0, *result.magnitudes.tolist()],
        },
        caption=provenance(
            panels.checkpoints([result]),
            result.method,
            f"target {result.target}",
            f"one draw, seed {result.seed}",
            f"grey: 95% of unrelated rankings of {result.words:,} different words",
        ),
        name=panels.file_name([result], f"{result.method}-randomisation"),
    )


def _alt(result: Randomisation, title: str) -> str:
    said = ", ".join(
        f"{layer} {number(value)}" for layer, value in zip(result.layers, result.scores.tolist(), strict=True)
    )
    return (
        f"Rank correlation of {title} with the original as layers are randomised from the top down: {said}. "
        f"95% of unrelated rankings stay within ±{result.unrelated:.2f}."
    )
