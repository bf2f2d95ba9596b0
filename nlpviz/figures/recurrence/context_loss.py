"""The mean loss of a text's words by how many words before each were read, one line a checkpoint."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from nlpviz.figures import direct_labels, panels
from nlpviz.figures.recurrence.memory_text import colors, dash, titles
from nlpviz.figures.view import FigureView, provenance, table_of
from nlpviz.results.context_loss import ContextLoss

_HEIGHT = 300  # pixels


def context_lines(shown: Sequence[ContextLoss]) -> FigureView:
    """Return the mean loss with 1, 2, 4, … words of context and with all.

    Args:
        shown: of one text of two words at least, the chosen run's first.
    """
    named, inks = titles(shown), colors(shown)
    traces = [
        go.Scatter(
            x=[_called(one, place) for place in range(len(one.kept))], y=one.means, name=name, mode="lines+markers",
            line={"color": ink, "width": 2.5, "dash": dash(one, shown)}, marker={"size": 6},
            hovertemplate="%{x} words of context: %{y:.2f} nats",
        )
        for one, name, ink in zip(shown, named, inks, strict=True)
    ]  # fmt: skip
    drawn = direct_labels.figure(
        traces, height=_HEIGHT, x="words of context", y="mean loss, nats per word",
        main=named, unnamed=() if len(shown) > 1 else named, xaxis={"type": "category"},
    )  # fmt: skip
    said = [
        f"{name}: {one.means[0]:.2f} nats with {one.kept[0]} word of context, {one.means[-1]:.2f} with the full context"
        for one, name in zip(shown, named, strict=True)
    ]
    return FigureView(
        figure=drawn,
        alt=f"Mean loss over the words of the text, by length of the context in words. {'; '.join(said)}.",
        table=table_of(
            ("run", "epoch", "words of context", "mean loss, nats"),
            [(one.run, one.epoch, list(one.kept), one.means) for one in shown],
        ),
        caption=provenance(panels.checkpoints(shown), "mean of −log p over the words of the text"),
        name=panels.file_name(shown, "context-loss"),
    )


def _called(one: ContextLoss, place: int) -> str:
    return "all" if place == len(one.kept) - 1 else str(one.kept[place])
