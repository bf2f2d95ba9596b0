"""How a run learnt: loss and accuracy by epoch, on the texts it learnt from and on those it did not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

import plotly.graph_objects as go

from nlpviz.figures import theme
from nlpviz.figures.view import FigureView, provenance
from nlpviz.runs import Run

_CURVES = (("train", theme.CATEGORIES[4], "dot", "circle-open"), ("validation", theme.POSITIVE, "solid", "circle"))


def training_curves(
    run: Run, yardstick: Run | None = None, *, measures: Sequence[str] = ("loss", "accuracy"), height: int = 400
) -> FigureView:
    """Return the curves of the training and the validation texts by epoch, one panel a measure.

    Args:
        run: whose history.
        yardstick: a baseline on the same corpus; its test accuracy is drawn as a line beside the run's.
        measures: ``"loss"``, ``"accuracy"`` or both.
        height: of the figure, in pixels.
    """
    history = run.history
    drawn = theme.figure(height=height, hovermode="x unified")
    if "accuracy" in measures:
        drawn.update_layout(margin={"r": 128})  # room for the names of the lines
    for number, measure in enumerate(measures, start=1):
        for split, color, dash, symbol in _CURVES:
            drawn.add_trace(
                go.Scatter(
                    x=[record.epoch for record in history],
                    y=[getattr(record, f"{split}_{measure}") for record in history],
                    name=split,
                    legendgroup=split,
                    showlegend=number == 1,
                    mode="lines+markers",
                    line={"color": color, "dash": dash, "width": 2.5},
                    marker={"symbol": symbol, "size": 8, "color": color},
                    hovertemplate="%{y:.3f}" if measure == "loss" else "%{y:.1%}",
                    xaxis=f"x{number}",
                    yaxis=f"y{number}",
                )
            )
        _panel(drawn, run, measure, number, len(measures))
        if measure == "accuracy":
            _level(drawn, number, run, theme.MUTED, "top")
            if yardstick is not None:
                _level(drawn, number, yardstick, theme.NEGATIVE, "bottom")
    return FigureView(
        figure=drawn,
        alt=_alt(run, yardstick),
        table={key: [asdict(record)[key] for record in history] for key in asdict(history[0])},
        caption=provenance(run.name, f"seed {run.seed}", run.device),
        name=f"{run.name}-training",
    )


def _panel(drawn: go.Figure, run: Run, measure: str, number: int, count: int) -> None:
    """Lay out one panel and mark the chosen epoch in it."""
    width = 1.0 if count == 1 else 0.46
    left = (number - 1) * (1 - width)
    span = [-0.3, run.history[-1].epoch + 0.3]
    drawn.update_layout(
        {
            f"xaxis{number}": {
                "domain": [left, left + width],
                "anchor": f"y{number}",
                "title": {"text": "epoch"},
                "dtick": 1,
                "range": span,
            },
            f"yaxis{number}": {
                "anchor": f"x{number}",
                "title": {"text": "loss (nats)" if measure == "loss" else "accuracy"},
                "tickformat": "" if measure == "loss" else ".0%",
                "rangemode": "tozero" if measure == "loss" else "normal",
            },
        }
    )
    suffix = "" if number == 1 else str(number)
    here = {"xref": f"x{suffix}", "yref": f"y{suffix} domain"}
    line = {"color": theme.MUTED, "width": 1, "dash": "dash"}
    drawn.add_shape(type="line", x0=run.best_epoch, x1=run.best_epoch, y0=0, y1=1, line=line, **here)
    note = {"showarrow": False, "font": {"size": 12, "color": theme.MUTED}}
    drawn.add_annotation(text="chosen", x=run.best_epoch, y=0.02, xanchor="right", yanchor="bottom", **note, **here)


def _level(drawn: go.Figure, number: int, run: Run, color: str, side: str) -> None:
    """Draw a run's test accuracy as a horizontal line, its name and number at the line's end."""
    accuracy = run.metrics["test"]["accuracy"]
    suffix = "" if number == 1 else str(number)
    here = {"xref": f"x{suffix} domain", "yref": f"y{suffix}"}
    line = {"color": color, "width": 1.5, "dash": "dashdot"}
    drawn.add_shape(type="line", x0=0, x1=1, y0=accuracy, y1=accuracy, line=line, **here)
    note = {"showarrow": False, "align": "left", "font": {"size": 12, "color": color}}
    text = f"{run.title}<br>{accuracy:.1%} on test"
    drawn.add_annotation(text=text, x=1.01, y=accuracy, xanchor="left", yanchor=side, **note, **here)


def _alt(run: Run, yardstick: Run | None) -> str:
    best, test = run.history[run.best_epoch], run.metrics["test"]["accuracy"]
    beside = f" {yardstick.title}: {yardstick.metrics['test']['accuracy']:.1%}." if yardstick else ""
    return (
        f"Loss and accuracy of {run.title} over {len(run.history)} epochs. Chosen on the validation texts: epoch "
        f"{best.epoch}, {best.validation_accuracy:.1%} there, {best.train_accuracy:.1%} on the training texts, "
        f"{test:.1%} on the test texts.{beside}"
    )
