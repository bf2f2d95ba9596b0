"""Each class's F1 as a bar, its precision and recall upon it."""

from __future__ import annotations

import plotly.graph_objects as go

from nlpviz.figures import theme
from nlpviz.figures.assessment.labels import file_name, on
from nlpviz.figures.view import FigureView, provenance, table_of
from nlpviz.results.assessment import Assessment
from nlpviz.text.vocabulary import shortened

_ROW, _ROUND = 26, 92  # pixels
_LETTERS = 24


def class_bars(shown: Assessment) -> FigureView:
    """Return the classes, the one with the greatest F1 first; a dotted line is the macro F1."""
    ranked = sorted(shown.classes, key=lambda one: -one.f1)
    rows = list(range(len(ranked)))
    hover = [
        f"{theme.plain(one.name)}: precision {one.precision:.1%}, recall {one.recall:.1%}, F1 {one.f1:.1%}<br>"
        f"{one.support:,} texts have this label, and {one.predicted:,} are assigned it"
        for one in ranked
    ]
    same = {"y": rows, "hovertext": hover, "hoverinfo": "text"}
    drawn = theme.figure(
        [
            go.Bar(
                x=[one.f1 for one in ranked], name="F1", orientation="h", marker={"color": theme.MAGNITUDE},
                opacity=0.55, **same,
            ),
            go.Scatter(
                x=[one.precision for one in ranked], name="precision", mode="markers",
                marker={"symbol": "diamond", "size": 9, "color": theme.INK}, **same,
            ),
            go.Scatter(
                x=[one.recall for one in ranked], name="recall", mode="markers",
                marker={"symbol": "circle-open", "size": 10, "color": theme.INK, "line": {"width": 2}}, **same,
            ),
        ],
        height=_ROW * max(len(ranked), 3) + _ROUND,
        xaxis={"range": [-0.02, 1.02], "tickformat": ".0%"},
        yaxis=theme.row_axis(
            [f"{theme.plain(shortened(one.name, _LETTERS))}  {one.support:,}" for one in ranked], least=3
        ),
        shapes=[theme.line_at(shown.macro_f1, yref="y domain")],
    )  # fmt: skip
    said = "; ".join(
        f"{one.name} F1 {one.f1:.1%} (precision {one.precision:.1%}, recall {one.recall:.1%}, {one.support:,} texts)"
        for one in ranked
    )
    return FigureView(
        figure=drawn,
        alt=f"Classes by F1 (macro F1 {shown.macro_f1:.1%}): {said}.",
        table=table_of(
            ("class", "precision", "recall", "F1", "texts with this label", "texts assigned this label"),
            [(one.name, one.precision, one.recall, one.f1, one.support, one.predicted) for one in ranked],
        ),
        caption=provenance(
            on(shown), f"macro F1 {shown.macro_f1:.1%}", "number next to each class: texts with that label"
        ),
        name=file_name(shown, "classes"),
    )
