"""How far probabilities are from the truth after each epoch: calibration error, and confidence beside accuracy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from nlpviz.figures import direct_labels, panels, phone, theme
from nlpviz.figures.view import FigureView, Table, provenance
from nlpviz.results.assessment import Assessment

_HEIGHT, _TALL = 440, 680  # pixels: side by side, and under each other on a phone
_LEFT, _RIGHT = (0.0, 0.34), (0.6, 1.0)  # of the width, with room for names between
_UPPER, _LOWER = (0.58, 1.0), (0.0, 0.42)
_COLORS = (theme.CATEGORIES[2], theme.CATEGORIES[3])
_SYMBOLS = (("circle", "circle-open"), ("square", "square-open"))


def calibration_by_epoch(runs: Mapping[str, Sequence[Assessment]], chosen: int) -> FigureView:
    """Return both panels; a click on a mark of the first run hands on its epoch.

    Args:
        runs: by title, each epoch on the same texts, in ascending order.
        chosen: the epoch of the first run that is marked.
    """
    traces = [
        trace
        for place, (title, own) in enumerate(runs.items())
        for trace in _traces(title if len(runs) > 1 else "", own, place, first=not place)
    ]
    drawn = direct_labels.figure(
        traces, height=_HEIGHT, main={trace.name for trace in traces}, at_edge=len(runs) > 1,
        xaxis={"domain": _LEFT, "title": {"text": "epoch"}, "tickformat": "d"},
        yaxis={"title": {"text": "expected calibration error"}, "tickformat": ".1~%", "rangemode": "tozero"},
        xaxis2={"domain": _RIGHT, "anchor": "y2", "title": {"text": "epoch"}, "tickformat": "d"},
        yaxis2={"anchor": "x2", "title": {"text": "accuracy, confidence"}, "tickformat": ".0%"},
        shapes=[theme.line_at(chosen, dash="dash") | panels.upright(number) for number in (1, 2)],
        annotations=[
            {
                "text": f"epoch {chosen}", "x": chosen, "y": 1, "yref": "y domain", "yanchor": "bottom",
                "showarrow": False, "font": {"size": 12, "color": theme.MUTED},
            }
        ],
        meta=phone.where_narrow(
            {
                "xaxis.domain": (0, 1), "xaxis2.domain": (0, 1), "yaxis.domain": _UPPER, "yaxis2.domain": _LOWER,
            },
            _TALL,
        ),
    )  # fmt: skip
    every = [one for own in runs.values() for one in own]
    return FigureView(
        figure=drawn,
        alt=_alt(runs),
        table=_table(every),
        caption=provenance(
            ", ".join(dict.fromkeys(one.run for one in every)),
            f"{every[0].documents:,} texts of {every[0].source}",
            "15 bins of equal width, 95% Wilson intervals for accuracy",
        ),
        name=f"{every[0].run}-calibration-by-epoch",
    )


def _traces(title: str, own: Sequence[Assessment], place: int, *, first: bool) -> list[go.Scatter]:
    """Return the lines of one run: its error with what chance makes of it, its accuracy and its confidence.

    They are named with the run's ``title`` where it is not empty.
    """
    epochs, known = [one.epoch for one in own], [one.calibration for one in own]
    color, (filled, hollow) = _COLORS[place % 2], _SYMBOLS[place % 2]
    named = f"{theme.plain(title)}, " if title else ""
    ids = [str(epoch) for epoch in epochs] if first else None
    hover = [f"{named}epoch {one.epoch}<br>{theme.plain(one.calibration_said)}" for one in own]
    hover = [text.replace("; ", "<br>").replace(", more than", "<br>more than") for text in hover]
    accuracies = [one.accuracy for one in own]
    line = {"color": color, "width": 2}
    return [
        go.Scatter(
            x=epochs, y=[one.error for one in known], name=f"{named}error", mode="lines+markers", line=line,
            marker={"symbol": filled, "size": 9, "color": color}, customdata=ids, hovertext=hover, hoverinfo="text",
        ),
        go.Scatter(
            x=epochs, y=[one.by_chance.highest for one in known], mode="lines+markers", hoverinfo="skip",
            name="95th percentile if perfectly calibrated",
            line={"color": theme.MUTED, "width": 1, "dash": "dot"}, marker={"size": 4, "color": theme.MUTED},
        ),
        go.Scatter(
            x=epochs, y=[one.temperature.error if one.temperature else None for one in known], mode="lines+markers",
            name=f"{named}error after temperature scaling", hoverinfo="skip",
            line={"color": color, "width": 1.5, "dash": "dashdot"}, marker={"symbol": "x-thin-open", "size": 7},
        ),
        go.Scatter(
            x=epochs, y=accuracies, name=f"{named}accuracy", mode="lines+markers", line=line,
            marker={"symbol": filled, "size": 9, "color": color}, customdata=ids, hovertext=hover, hoverinfo="text",
            error_y=theme.whiskers(accuracies, [one.interval for one in own], color, width=4), xaxis="x2", yaxis="y2",
        ),
        go.Scatter(
            x=epochs, y=[one.confidence for one in known], name=f"{named}mean confidence",
            mode="lines+markers", line={**line, "dash": "dash"}, hovertext=hover, hoverinfo="text",
            marker={"symbol": hollow, "size": 9, "color": color}, customdata=ids, xaxis="x2", yaxis="y2",
        ),
    ]  # fmt: skip


def _alt(runs: Mapping[str, Sequence[Assessment]]) -> str:
    said = ". ".join(
        f"{title}: "
        + "; ".join(
            f"epoch {one.epoch}, error {one.calibration.error:.1%}, accuracy {one.accuracy:.1%}, mean confidence "
            f"{one.calibration.confidence:.1%}"
            for one in own
        )
        for title, own in runs.items()
    )
    return f"Expected calibration error, accuracy and mean confidence by epoch. {said}."


def _table(every: Sequence[Assessment]) -> Table:
    return {
        "run": [one.run for one in every],
        "epoch": [one.epoch for one in every],
        "calibration error": [one.calibration.error for one in every],
        "mean error if perfectly calibrated": [one.calibration.by_chance.mean for one in every],
        "95th percentile if perfectly calibrated": [one.calibration.by_chance.highest for one in every],
        "mean confidence": [one.calibration.confidence for one in every],
        "accuracy": [one.accuracy for one in every],
        "cross-fitted temperature": [_temperature(one, "value") for one in every],
        "error after temperature scaling": [_temperature(one, "error") for one in every],
        "from": [one.interval.low for one in every],
        "to": [one.interval.high for one in every],
    }


def _temperature(one: Assessment, what: str) -> float | None:
    known = one.calibration.temperature
    return None if known is None else float(getattr(known, what))
