"""Accuracy against confidence, with a histogram of the confidences below."""

from __future__ import annotations

import plotly.graph_objects as go

from nlpviz.figures import direct_labels, theme
from nlpviz.figures.assessment.labels import file_name, on, share
from nlpviz.figures.view import FigureView, provenance, table_of
from nlpviz.results.assessment import Assessment

_HEIGHT = 460
_BELOW, _ABOVE = (0.0, 0.2), (0.27, 1.0)  # of the height: the histogram, the diagram


def reliability_diagram(shown: Assessment) -> FigureView:
    """Return the diagram: bins of as many texts each with 95% intervals, a diagonal where confidences are right."""
    known = shown.calibration
    accuracies = [one.accuracy for one in known.bins]
    lowest = 1 / len(shown.classes)
    drawn = direct_labels.figure(
        [
            go.Scatter(
                x=[lowest, 1], y=[lowest, 1], mode="lines", name="perfectly calibrated", hoverinfo="skip",
                line={"color": theme.MUTED, "width": 1, "dash": "dot"},
            ),
            go.Scatter(
                x=[one.confidence for one in known.bins], y=accuracies, mode="markers+lines",
                name="test texts (binned)",
                marker={"size": 9, "color": theme.MAGNITUDE}, line={"color": theme.MAGNITUDE, "width": 1},
                error_y=theme.whiskers(accuracies, [one.interval for one in known.bins], theme.MAGNITUDE, width=4),
                hovertext=[
                    f"{one.texts:,} texts with confidence {one.low:.1%} to {one.high:.1%}<br>"
                    f"accuracy {share(one.accuracy, one.interval)}"
                    for one in known.bins
                ],
                hoverinfo="text",
            ),
            _histogram(shown),
        ],
        height=_HEIGHT, x="confidence: probability of the predicted class",
        xaxis={"range": [lowest - 0.02, 1.02], "tickformat": ".0%", "anchor": "y2"},
        yaxis={"range": [-0.02, 1.02], "tickformat": ".0%", "domain": _ABOVE, "title": {"text": "accuracy"}},
        yaxis2={"domain": _BELOW, "title": {"text": "texts"}, "nticks": 3, "rangemode": "tozero", "anchor": "x"},
        bargap=0.05,
    )  # fmt: skip
    return FigureView(
        figure=drawn,
        alt=_alt(shown),
        table=table_of(
            ("texts", "lowest confidence", "highest confidence", "mean confidence", "accuracy", "from", "to"),
            [(one.texts, one.low, one.high, one.confidence, one.accuracy, *one.interval) for one in known.bins],
        ),
        caption=provenance(on(shown), "bins with equal numbers of texts", "95% Wilson intervals"),
        name=file_name(shown, "reliability"),
    )


def _histogram(shown: Assessment) -> go.Bar:
    texts = shown.calibration.histogram
    width = 1 / len(texts)
    return go.Bar(
        x=[(position + 0.5) * width for position in range(len(texts))], y=list(texts), width=width * 0.95, yaxis="y2",
        marker={"color": theme.MUTED},
        hovertext=[
            f"{count:,} texts with confidence {position * width:.1%} to {(position + 1) * width:.1%}"
            for position, count in enumerate(texts)
        ],
        hoverinfo="text",
    )  # fmt: skip


def _alt(shown: Assessment) -> str:
    said = "; ".join(
        f"confidence {one.confidence:.1%}, accuracy {share(one.accuracy, one.interval)}"
        for one in shown.calibration.bins
    )
    return f"Reliability diagram of {shown.documents:,} texts. {shown.calibration_said} By bin: {said}."
