"""How well models predict a text: the test text as bars, by the size of the vocabulary, and validation by epoch."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape
from itertools import cycle
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from nlpviz.figures import direct_labels, theme
from nlpviz.figures.labelled_bars import BarRow, Group, labelled_bars
from nlpviz.figures.log_axis import log_axis
from nlpviz.figures.view import FigureView, provenance, table_of
from nlpviz.results.perplexity import MeasuredModel, SmallerVocabulary, ValidationCourse

_HEIGHT = 440  # pixels


class Quantity(NamedTuple):
    """What can be drawn of a model: its name with the unit, its number, and a format for it."""

    axis: str
    of: Callable[[MeasuredModel], float]
    form: str


QUANTITIES: Mapping[str, Quantity] = MappingProxyType(
    {
        "perplexity": Quantity("perplexity", lambda one: one.perplexity, ",.1f"),
        "nats": Quantity("nats per token", lambda one: one.loss, ".3f"),
        "bits": Quantity("bits per character", lambda one: one.bits_per_character, ".3f"),
    }
)
"""By what a control calls them."""


def perplexity_bars(models: Sequence[MeasuredModel], quantity: str, corpus: str) -> FigureView:
    """Return a bar for each model, the best first; the less, the better.

    Args:
        models: of one corpus.
        quantity: a key of :data:`QUANTITIES`.
        corpus: its title.
    """
    what = QUANTITIES[quantity]
    ranked = sorted(models, key=lambda one: one.loss)
    values = [what.of(one) for one in ranked]
    rows = [
        BarRow(one.title, value, f"{value:{what.form}}", f"{one.title}: {value:{what.form}} {what.axis}", one.title)
        for one, value in zip(ranked, values, strict=True)
    ]
    drawn = labelled_bars([Group("", rows)], f"{what.axis}, test text", max(values), signed=False)
    return FigureView(
        figure=drawn,
        alt=f"{what.axis} on the test text of {corpus}: "
        + ", ".join(f"{row.label} {row.note}" for row in rows)
        + ". Lower is better.",
        table=table_of(
            ("model", "perplexity", "nats per token", "bits per character", "tokens", "vocabulary", "settings"),
            [
                (one.title, one.perplexity, one.loss, one.bits_per_character, one.tokens, one.vocabulary, one.settings)
                for one in ranked
            ],
        ),
        caption=provenance(corpus, "test text", what.axis),
        name=f"{quantity}-of-language-models",
    )


def perplexity_curves(courses: Sequence[ValidationCourse], levels: Mapping[str, float], corpus: str) -> FigureView:
    """Return the perplexity of the validation text by epoch, on a logarithmic axis; levels are of what has no epochs.

    Args:
        courses: at least one.
        levels: the loss on the same text by title.
        corpus: its title.
    """
    last = max(epoch for one in courses for epoch in one.epochs)
    traces = [
        go.Scatter(
            x=course.epochs, y=np.exp(course.losses), mode="lines+markers", name=escape(course.title),
            line={"color": color, "width": 2.5}, hovertemplate="%{y:,.1f}",
            marker={"size": [13 if epoch == course.best else 7 for epoch in course.epochs], "color": color},
        )
        for course, color in zip(courses, cycle(theme.CATEGORIES), strict=False)
    ]  # fmt: skip
    traces += [
        go.Scatter(
            x=[0, last], y=[np.exp(loss)] * 2, mode="lines", name=escape(title), hovertemplate="%{y:,.1f}",
            line={"color": theme.MUTED, "dash": ("dash", "dot")[number % 2], "width": 2},
        )
        for number, (title, loss) in enumerate(levels.items())
    ]  # fmt: skip
    drawn_values = np.exp([*(loss for one in courses for loss in one.losses), *levels.values()])
    best = sorted(courses, key=lambda one: min(one.losses))[: direct_labels.COLOURED]
    first, lowest = best[0], float(np.exp(min(best[0].losses)))
    note = direct_labels.remark(f"best epoch {first.best}: {lowest:,.0f}", first.best, np.log10(lowest))
    drawn = direct_labels.figure(
        traces, height=_HEIGHT, annotations=[note], x="epoch", y="perplexity, validation text", hovermode="x unified",
        yaxis=log_axis(float(drawn_values.min()), float(drawn_values.max())),
        main={*(escape(one.title) for one in best), *map(escape, levels)},
    )  # fmt: skip
    said = [
        f"{one.title}: {np.exp(one.losses[0]):,.1f} at epoch {one.epochs[0]}, {np.exp(min(one.losses)):,.1f} at "
        f"epoch {one.best}"
        for one in courses
    ]
    said += [f"{title}: {np.exp(loss):,.1f}" for title, loss in levels.items()]
    return FigureView(
        figure=drawn,
        alt=f"Perplexity on the validation text of {corpus} by epoch. " + "; ".join(said) + ".",
        table=table_of(
            ("model", "epoch", "perplexity"), [(one.title, list(one.epochs), np.exp(one.losses)) for one in courses]
        ),
        caption=provenance(corpus, "validation text", "perplexity by epoch"),
        name="perplexity-by-epoch",
    )


def perplexity_by_vocabulary(found: Sequence[SmallerVocabulary], title: str, corpus: str) -> FigureView:
    """Return the perplexity of one model by how many tokens it predicts, with the share of unknown ones at each point.

    Args:
        found: the smallest vocabulary first; the last one is the model's own.
        title: of the model.
        corpus: its title.
    """
    sizes, values = [one.vocabulary for one in found], [one.perplexity for one in found]
    labels = [f"<b>{one.perplexity:,.1f}</b><br>{one.unknown:.0%} &lt;unk&gt;" for one in found]
    drawn = theme.figure(
        height=_HEIGHT, x="tokens in the vocabulary", y="perplexity, test text", showlegend=False,
        xaxis={"type": "log", "tickvals": sizes, "ticktext": [f"{size:,}" for size in sizes],
               "range": [np.log10(sizes[0]) - 0.25, np.log10(sizes[-1]) + 0.25]},
        yaxis={"range": [0, 1.25 * max(values)]}, margin={"r": 12, "t": 12},
    )  # fmt: skip
    drawn.add_scatter(
        x=sizes, y=values, mode="lines+markers+text", text=labels,
        textposition=["top center", *["top left"] * (len(found) - 1)],  # the line rises to the right
        line={"color": theme.CATEGORIES[0], "width": 2.5}, marker={"size": 9, "color": theme.CATEGORIES[0]},
        hovertemplate="%{x:,} tokens: perplexity %{y:,.1f}<extra></extra>", cliponaxis=False,
    )  # fmt: skip
    said = [f"{one.vocabulary:,} tokens {one.perplexity:,.1f} ({one.unknown:.0%} unknown)" for one in found]
    return FigureView(
        figure=drawn,
        alt=f"Perplexity of {title} on the test text of {corpus} by vocabulary size: " + "; ".join(said) + ".",
        table=table_of(
            ("vocabulary", "perplexity", "nats per token", "share of test tokens that are <unk>"),
            [(one.vocabulary, one.perplexity, one.loss, one.unknown) for one in found],
        ),
        caption=provenance(title, corpus, "test text", "perplexity by vocabulary"),
        name="perplexity-by-vocabulary",
    )
