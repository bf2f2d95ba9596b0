"""Learning rates: what a range test shows, what schedules make of a rate, and where early stopping stops."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from nlpviz.figures import direct_labels, theme
from nlpviz.figures.feedforward.columns import columns, look
from nlpviz.figures.log_axis import log_axis
from nlpviz.figures.view import FigureView, provenance, table_of
from nlpviz.results.feedforward import Stop, Trial
from nlpviz.results.layers_watched import RangeTest, smoothed

_SHOWN = 1.6  # times the first loss, at the top of the axis


def range_test_lines(tests: Sequence[RangeTest], per_epoch: int, *, height: int = 440) -> FigureView:
    """Return the smoothed loss of each step by its learning rate: a line for each seed of each optimiser."""
    names = list(dict.fromkeys(test.optimiser for test in tests))
    traces = []
    for test in tests:
        ink = look(names.index(test.optimiser))
        traces.append(
            go.Scatter(
                x=test.rates, y=smoothed(test.losses), mode="lines", name=test.title,
                line={"color": ink["color"], "dash": ink["dash"], "width": 2},
                hovertemplate=f"{test.title}, seed {test.seed}<br>rate %{{x:.2g}}: loss %{{y:.3f}}<extra></extra>",
            )
        )  # fmt: skip
    first = float(np.mean([test.losses[0] for test in tests]))
    low, high = min(test.rates[0] for test in tests), max(test.rates[-1] for test in tests)
    least, rate, title = min(
        (float(values.min()), float(test.rates[values.argmin()]), test.title)
        for test in tests
        for values in [smoothed(test.losses)]
    )
    note = direct_labels.remark(f"lowest: {escape(title)}, rate {rate:.2g}", np.log10(rate), least, above=False)
    drawn = direct_labels.figure(
        traces, height=height, x="learning rate", y="training loss, nats (smoothed)", annotations=[note],
        xaxis=log_axis(float(low), float(high)), yaxis={"range": [0, _SHOWN * first]},
    )  # fmt: skip
    said = [f"{test.title}, seed {test.seed}: steepest at {test.steepest:.2g}" for test in tests]
    return FigureView(
        figure=drawn,
        alt=f"Training loss as the learning rate increases step by step. {'; '.join(said)}.",
        table=table_of(
            ("optimiser", "seed", "learning rate", "batch loss, nats"),
            [(test.title, test.seed, test.rates.tolist(), test.losses.tolist()) for test in tests],
        ),
        caption=provenance(
            "20 Newsgroups, bag of words", f"range test of up to 200 steps ({per_epoch} per epoch)", "three seeds"
        ),
        name="range-test",
    )


def schedule_shapes(epochs: NDArray[np.floating], rates: Mapping[str, NDArray[np.floating]]) -> FigureView:
    """Return the learning rate by epoch of each schedule.

    Args:
        epochs: (N,), from the beginning to the end of the training, with fractions.
        rates: by title: the rate at each of them, (N,).
    """
    traces = []
    for place, (title, values) in enumerate(rates.items()):
        ink = look(place)
        traces.append(
            go.Scatter(
                x=epochs, y=values, mode="lines", name=escape(title),
                line={"color": ink["color"], "dash": ink["dash"], "width": 2.5},
                hovertemplate=f"{escape(title)}, epoch %{{x:.1f}}: %{{y:.3g}}<extra></extra>",
            )
        )  # fmt: skip
    drawn = direct_labels.figure(traces, height=320, x="epoch", y="learning rate", yaxis={"rangemode": "tozero"})
    said = [f"{title} from {values[0]:.2g} to {values[-1]:.2g}" for title, values in rates.items()]
    return FigureView(
        figure=drawn,
        alt=f"The learning rate of each schedule over {epochs[-1]:.0f} epochs: {', '.join(said)}.",
        table={"epoch": epochs, **rates},
        caption=provenance("learning rate by epoch", "each with its own best rate from a grid"),
        name="schedules",
    )


def stopping(trial: Trial, stop: Stop, *, height: int = 440) -> FigureView:
    """Return both losses and the validation accuracy of a long training, with the epochs that early stopping names."""
    axes, meta = columns(2, height)
    for suffix, title, form in (("", "loss, nats", ""), ("2", "accuracy", ".0%")):
        axes[f"xaxis{suffix}"] |= {"title": {"text": "epoch"}, "zeroline": False}
        axes[f"yaxis{suffix}"] |= {"title": {"text": title}, "tickformat": form, "rangemode": "tozero"}
    epochs = np.arange(len(trial.points))
    parts = (
        ("training", "train_loss", "1", theme.MUTED, "dot"),
        ("validation", "validation_loss", "1", theme.POSITIVE, "solid"),
        ("training", "train_accuracy", "2", theme.MUTED, "dot"),
        ("validation", "validation_accuracy", "2", theme.POSITIVE, "solid"),
    )  # fmt: skip
    traces = [
        go.Scatter(
            x=epochs, y=[getattr(point, field) for point in trial.points], mode="lines", name=name,
            line={"color": color, "dash": dash, "width": 2.5}, xaxis=f"x{axis}",
            yaxis=f"y{axis}", hovertemplate=f"{name}, epoch %{{x}}: %{{y:.3f}}<extra></extra>",
        )
        for name, field, axis, color, dash in parts
    ]  # fmt: skip
    marks, notes = [], []
    for epoch, said, ink in ((stop.best, "kept", theme.POSITIVE), (stop.stopped, "stopped", theme.NEGATIVE)):
        marks += [
            theme.line_at(epoch, color=ink, width=1.5, dash="dash", xref=f"x{axis}", yref=f"y{axis} domain")
            for axis in ("", "2")
        ]
        notes.append(
            {"x": epoch, "y": 0.04 if said == "kept" else 0.14, "xref": "x", "yref": "y domain", "text": said,
             "showarrow": False, "xanchor": "left", "xshift": 4, "font": {"size": 12, "color": theme.lettering(ink)}}
        )  # fmt: skip
    drawn = direct_labels.figure(traces, height=height, meta=meta, shapes=marks, annotations=notes, **axes)
    return FigureView(
        figure=drawn,
        alt=(
            f"{trial.title}, seed {trial.seed}: training stops after epoch {stop.stopped} of "
            f"{len(trial.points) - 1} and keeps epoch {stop.best}."
        ),
        table={"epoch": epochs, **{f"{name} {field.split('_')[1]}": [getattr(point, field) for point in trial.points]
                                   for name, field, *_ in parts}},
        caption=provenance("20 Newsgroups, bag of words", f"Adam, {trial.title}, seed {trial.seed}"),
        name=f"early-stopping-{trial.choice}-{trial.seed}",
    )  # fmt: skip
