"""Accuracy in slices of the texts: a dot with its interval each, filled where a test tells it from the other texts."""

from __future__ import annotations

import plotly.graph_objects as go

from nlpviz.figures import theme
from nlpviz.figures.assessment.labels import P_VALUES, file_name, on, share
from nlpviz.figures.view import FigureView, provenance, table_of
from nlpviz.results.assessment import Assessment
from nlpviz.results.errors import Slices
from nlpviz.stats.significance import LEVEL
from nlpviz.text.vocabulary import shortened

_ROW, _ROUND = 28, 78  # pixels
_LETTERS = 28


def slice_dots(shown: Slices, assessment: Assessment) -> FigureView:
    """Return the slices in their order; a dotted line is the accuracy on all texts.

    Args:
        shown: the texts in slices.
        assessment: of the same texts.
    """
    rows, accuracies = list(range(len(shown.slices))), [one.accuracy for one in shown.slices]
    drawn = theme.figure(
        [
            go.Scatter(
                x=accuracies, y=rows, mode="markers",
                marker={
                    "size": 11, "color": theme.MAGNITUDE, "line": {"width": 2, "color": theme.MAGNITUDE},
                    "symbol": ["circle" if one.significant else "circle-open" for one in shown.slices],
                },
                error_x=theme.whiskers(accuracies, [one.interval for one in shown.slices], theme.MAGNITUDE, width=4),
                hovertext=[
                    f"{theme.plain(one.name)}: {one.texts:,} texts<br>accuracy {share(one.accuracy, one.interval)}, "
                    f"accuracy on all other texts {one.rest:.1%}<br>p = {one.p:.3g}, adjusted {one.q:.3g}"
                    for one in shown.slices
                ],
                hoverinfo="text",
            )
        ],
        height=_ROW * max(len(rows), 3) + _ROUND, x="accuracy", showlegend=False, margin={"t": 12},
        xaxis={"range": [-0.02, 1.02], "tickformat": ".0%"},
        yaxis=theme.row_axis(
            [f"{theme.plain(shortened(one.name, _LETTERS))}  {one.texts:,}" for one in shown.slices], least=3
        ),
        shapes=[theme.line_at(shown.accuracy, yref="y domain")],
    )  # fmt: skip
    said = "; ".join(
        f"{one.name} {share(one.accuracy, one.interval)}, {one.texts:,} texts"
        f"{', significantly different from the other texts' if one.significant else ''}"
        for one in shown.slices
    )
    return FigureView(
        figure=drawn,
        alt=f"Accuracy by {shown.by} ({shown.accuracy:.1%} on all texts): {said}.",
        table=table_of(
            ("slice", "texts", "accuracy", "from", "to", "accuracy on all other texts", *P_VALUES),
            [(one.name, one.texts, one.accuracy, *one.interval, one.rest, one.p, one.q) for one in shown.slices],
        ),
        caption=provenance(
            on(assessment),
            f"by {shown.by}",
            "95% Wilson intervals",
            f"filled marks: adjusted p < {LEVEL:g} (Fisher’s exact test against all other texts)",
        ),
        name=file_name(assessment, "slices"),
    )
