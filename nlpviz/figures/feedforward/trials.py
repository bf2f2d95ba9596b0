"""What choices reach: test accuracy with its interval over seeds, and how they learnt epoch by epoch."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

import numpy as np
import plotly.graph_objects as go

from nlpviz.figures import direct_labels, phone, theme
from nlpviz.figures.feedforward.columns import band, columns, look
from nlpviz.figures.log_axis import log_axis
from nlpviz.figures.view import FigureView, provenance, table_of
from nlpviz.results.feedforward import Trial, Trials
from nlpviz.stats.significance import student_quantile

_FAR = 20  # times
_ROW, _ROUND = 34, 90  # pixels: of a row, and of what is round the rows


def reached(trials: Trials, group: str, base: str) -> FigureView:
    """Return the test accuracy of each choice of a group: a mark with its 95% interval, each seed as a small mark.

    Args:
        trials: of an experiment.
        group: the kind of choice.
        base: the choice that the others are compared with.
    """
    choices = trials.choices(group)
    found = {name: trials.test(group, name) for name in choices}
    order = sorted(choices, key=lambda name: found[name][0])
    titles = [escape(choices[name]) for name in order]
    means = [found[name][0] for name in order]
    low, high = ([found[name][1][side] for name in order] for side in (0, 1))
    seeds = [(place, trial.test) for place, name in enumerate(order) for trial in trials.of(group, name)]
    traces = [
        go.Scatter(
            x=[test for _, test in seeds], y=[place for place, _ in seeds], mode="markers", name="one seed",
            marker={"color": theme.MUTED, "size": 5, "opacity": 0.5, "symbol": "line-ns-open"},
            hovertemplate="%{x:.1%}<extra></extra>",
        ),
        go.Scatter(
            x=means, y=list(range(len(order))), mode="markers", name="mean, 95% interval",
            marker={"size": 10, "color": [theme.NEGATIVE if name == base else theme.POSITIVE for name in order],
                    "symbol": ["square" if name == base else "circle" for name in order]},
            error_x={"type": "data", "symmetric": False, "array": np.subtract(high, means),
                     "arrayminus": np.subtract(means, low), "color": theme.MUTED, "thickness": 1.5},
            hovertext=[f"{title}: {mean:.1%} ({lo:.1%} to {hi:.1%}), rate {trials.of(group, name)[0].rate:g}"
                       for title, mean, lo, hi, name in zip(titles, means, low, high, order, strict=True)],
            hovertemplate="%{hovertext}<extra></extra>",
        ),
    ]  # fmt: skip
    drawn = theme.figure(
        traces, height=_ROW * len(order) + _ROUND, x="test accuracy",
        xaxis={"tickformat": ".1~%"}, meta=phone.least_width(340),
        yaxis={"tickvals": list(range(len(order))), "ticktext": titles, "range": [-0.6, len(order) - 0.4],
               "zeroline": False},
    )  # fmt: skip
    said = [f"{choices[name]} {found[name][0]:.1%}" for name in reversed(order)]
    return FigureView(
        figure=drawn,
        alt=f"Mean test accuracy by {group}, best first: {', '.join(said)}.",
        table={
            group: [choices[name] for name in order],
            "rate": [trials.of(group, name)[0].rate for name in order],
            "mean test accuracy": means,
            "from": low,
            "to": high,
            "seeds": [len(trials.of(group, name)) for name in order],
        },
        caption=_caption(trials, group, "test accuracy at each seed’s best epoch (by validation accuracy)"),
        name=f"{trials.name}-{group}",
    )


def learnt(trials: Trials, group: str, names: Sequence[str] = (), *, height: int = 440) -> FigureView:
    """Return training and validation loss, and validation accuracy, by epoch: means, with 95% intervals as bands."""
    choices = {name: title for name, title in trials.choices(group).items() if not names or name in names}
    shown = [trial for name in choices for trial in trials.of(group, name)]
    axes, meta = columns(3, height, (0.28, 0.28, 0.44))
    panels = (
        ("train_loss", "training loss", ""), ("validation_loss", "validation loss", ""),
        ("validation_accuracy", "validation accuracy", ".0%"),
    )  # fmt: skip
    traces: list[go.Scatter] = []
    for number, (field, title, form) in enumerate(panels, start=1):
        suffix = "" if number == 1 else str(number)
        axes[f"xaxis{suffix}"] |= {"title": {"text": "epoch"}, "zeroline": False}
        axes[f"yaxis{suffix}"] |= {"title": {"text": title}, "tickformat": form, **_scale(field, shown)}
        for place, name in enumerate(choices):
            traces += _line(trials, (group, name), field, place, number)
    drawn = direct_labels.figure(
        traces, height=height, meta=meta, uirevision=f"{trials.name}{group}", main=_best(trials, group, choices), **axes
    )
    return FigureView(
        figure=drawn,
        alt=f"Losses and accuracy by epoch for {', '.join(choices.values())}.",
        table=table_of(
            (group, "seed", "epoch", *(title for _, title, _ in panels)),
            [
                (title, trial.seed, epoch, *(getattr(point, field) for field, *_ in panels))
                for name, title in choices.items()
                for trial in trials.of(group, name)
                for epoch, point in enumerate(trial.points)
            ],
        ),
        caption=_caption(trials, group, "means over seeds; bands: 95% intervals of the mean"),
        name=f"{trials.name}-{group}-epochs",
    )


def _best(trials: Trials, group: str, choices: Iterable[str]) -> list[str]:
    """Return the titles of the choices with the highest test accuracy, as many as have colours."""
    ranked = sorted(choices, key=lambda name: -trials.test(group, name)[0])
    return [escape(trials.of(group, name)[0].title) for name in ranked[: direct_labels.COLOURED]]


def _scale(field: str, trials: Sequence[Trial]) -> dict[str, object]:
    """Return how a measure is drawn: losses that differ more than twentyfold by their logarithms."""
    values = [getattr(point, field) for trial in trials for point in trial.points]
    if field.endswith("loss") and max(values) > _FAR * min(values) > 0:
        return log_axis(min(values), max(values))
    return {"rangemode": "tozero"}


def _line(trials: Trials, which: tuple[str, str], field: str, place: int, number: int) -> list[go.Scatter]:
    some = trials.of(*which)
    length = min(len(trial.points) for trial in some)
    values = np.array([[getattr(point, field) for point in trial.points[:length]] for trial in some])
    mean, ink, title = values.mean(axis=0), look(place), escape(some[0].title)
    here = {"xaxis": f"x{number}", "yaxis": f"y{number}", "legendgroup": title}
    form = ".1%" if field.endswith("accuracy") else ".3f"
    line = go.Scatter(
        x=np.arange(length), y=mean, name=title, mode="lines",
        line={"color": ink["color"], "dash": ink["dash"], "width": 2.5},
        hovertemplate=f"{title}, epoch %{{x}}: %{{y:{form}}}<extra></extra>", **here,
    )  # fmt: skip
    if len(values) < 2:
        return [line]
    half = student_quantile(0.95, len(values) - 1) * values.std(axis=0, ddof=1) / np.sqrt(len(values))
    low = np.maximum(mean - half, values.min(axis=0) / 2) if field.endswith("loss") else mean - half
    return [band(np.arange(length).tolist(), low, mean + half, ink["color"], **here), line]


def _caption(trials: Trials, group: str, what: str) -> str:
    seeds = {trial.seed for trial in trials.trials if trial.group == group}
    return provenance("20 Newsgroups, bag of words", f"{len(seeds)} seeds", what, f"trained on {trials.created}")
