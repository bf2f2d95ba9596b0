"""How probable the words of a sentence are in other orders: a histogram, and a line where the sentence stands."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from nlpviz.figures import panels, phone, theme
from nlpviz.figures.language import file_name
from nlpviz.figures.view import FigureView, provenance
from nlpviz.results.word_order import WordOrders

_HEIGHT, _BINS, _IN_A_ROW = 220, 40, 2
_LEAST = 560  # pixels in width, for the names over two panels


def order_histograms(results: Sequence[WordOrders]) -> FigureView:
    """Return a panel for each model, all on one axis of log-probability.

    Args:
        results: of one sentence, with finite log-probabilities; at least one shuffle.
    """
    every = np.concatenate([np.append(one.shuffled, one.typed) for one in results])
    every = every[np.isfinite(every)]
    low, high = float(every.min()), float(every.max())
    room = max((high - low) * 0.04, 0.5)
    width = (high - low + 2 * room) / _BINS
    arranged = [
        panels.Panel(number, one.title, (number - 1) // _IN_A_ROW, (number - 1) % _IN_A_ROW)
        for number, one in enumerate(results, start=1)
    ]
    traces, shapes, axes = [], [], {}
    for panel, one in zip(arranged, results, strict=True):
        bins = {"start": low - room, "end": high + room, "size": width}
        traces.append(
            go.Histogram(
                x=one.shuffled[np.isfinite(one.shuffled)], xbins=bins, autobinx=False,
                marker={"color": theme.MAGNITUDE}, xaxis=f"x{panel.number}", yaxis=f"y{panel.number}",
                hovertemplate="%{y} orders near %{x:.1f} nats<extra></extra>",
            )
        )  # fmt: skip
        shapes.append(theme.line_at(one.typed, color=theme.INK, width=2, dash=None) | panels.upright(panel.number))
        axes[f"xaxis{panel.number}"] = {"range": [low - room, high + room], "zeroline": False}
        axes[f"yaxis{panel.number}"] = {"title": {"text": "orders" if panel.column == 0 else ""}}
    drawn = panels.figure(
        arranged, _HEIGHT, traces=traces, axes=axes, below="log-probability of a word order (nats)",
        showlegend=False, shapes=shapes, bargap=0.05,
        meta=phone.least_width(_LEAST) if len(arranged) > 1 else None,
    )  # fmt: skip
    said = (
        f"{one.title}: the log-probability of the sentence is {one.typed:.1f} nats, rank {one.rank:,} of "
        f"{len(one.shuffled) + 1:,}"
        for one in results
    )
    return FigureView(
        figure=drawn,
        alt="Log-probability of a sentence and of its words in other orders. " + "; ".join(said) + ".",
        table={
            "model": [one.title for one in results for _ in range(len(one.shuffled) + 1)],
            "order": [
                " ".join(one.words[place] for place in order)
                for one in results
                for order in (range(len(one.words)), *one.orders.tolist())
            ],
            "log-probability (nats)": np.concatenate([np.append([one.typed], one.shuffled) for one in results]),
        },
        caption=provenance(*(one.title for one in results), "word orders"),
        name=file_name("word-orders", *(one.title for one in results)),
    )
