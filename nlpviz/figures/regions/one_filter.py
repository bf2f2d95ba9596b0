"""One filter of a network: the n-grams that activate it most, and its activation on documents with each label."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any, NamedTuple

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from nlpviz.figures import panels, theme
from nlpviz.figures.labelled_bars import BarRow, Group, labelled_bars
from nlpviz.figures.regions.filters import two_in_a_row
from nlpviz.figures.view import FigureView, provenance, table_of
from nlpviz.results.survey import FilterNgram, FilterSummary

_HEIGHT, _LEGEND = 190, 28  # pixels: of a row of panels, over the first
_BINS = 24


class Activations(NamedTuple):
    """What one filter answers to each of a run's documents at one epoch, (N,), and their labels, (N,)."""

    run: str
    epoch: int
    values: NDArray[np.float32]
    labels: NDArray[np.integer]

    @classmethod
    def of(
        cls,
        about: tuple[str, int],
        embeddings: NDArray[np.float32],
        labels: NDArray[np.integer],
        column: int,
        target: int | None,
    ) -> Activations:
        """Return the activations in a column of the document embeddings.

        Args:
            about: the run's name and the epoch.
            embeddings: of the documents, (N, E).
            labels: theirs, (N,).
            column: of the filter.
            target: a class, 1, that is compared with all others, 0; None for each by itself.
        """
        return cls(*about, embeddings[:, column], labels if target is None else (labels == target).astype(np.int8))


def filter_ngrams(run: str, one: FilterSummary, scale: float) -> FigureView:
    """Return the n-grams that activate one filter most at one epoch.

    Args:
        run: the run's name.
        one: the filter.
        scale: the largest activation of all epochs that are compared.
    """
    words = ", ".join(f"{said.ngram} {said.activation:.2f}" for said in one.ngrams[:5])
    return FigureView(
        figure=labelled_bars(
            [Group("", [_row(said) for said in one.ngrams])], "activation · documents", scale, signed=False
        ),
        alt=f"The n-grams that activate filter {one.id} most at epoch {one.epoch}: {words or 'none'}.",
        table=table_of(
            ("n-gram", "activation", "documents"),
            [(found.ngram, np.float32(found.activation), found.support) for found in one.ngrams],
        ),
        caption=provenance(f"{run}, epoch {one.epoch}", f"filter {one.id}, over all test documents"),
        name=f"{run}-epoch-{one.epoch}-filter-{one.id}",
    )


def _row(said: FilterNgram) -> BarRow:
    hover = f"{said.ngram}: {said.activation:.3g}, winning in {said.support:,} documents"
    return BarRow(said.ngram, said.activation, f"{said.activation:.2f} · {said.support:,}", hover, said.ngram)


def activation_histogram(shown: Sequence[Activations], name: str, class_names: Sequence[str]) -> FigureView:
    """Return how many documents of each label one filter answers how strongly, one panel a checkpoint.

    Args:
        shown: one for each checkpoint.
        name: the filter's.
        class_names: what the labels mean.
    """
    highest = max((float(one.values.max(initial=0)) for one in shown), default=0.0) or 1.0
    edges = np.linspace(0, highest, _BINS + 1)
    arranged = two_in_a_row(shown)
    bars: list[go.Bar] = []
    table: dict[str, NDArray[Any]] = {"from": edges[:-1], "to": edges[1:]}
    for panel, one in zip(arranged, shown, strict=True):
        counts = [np.histogram(one.values[one.labels == label], edges)[0] for label in range(len(class_names))]
        table |= {f"{class_name}, {panel.heading}": own for class_name, own in zip(class_names, counts, strict=True)}
        bars += _bars(edges, counts, class_names, panel.number)
    most = max(int(column.max()) for heading, column in table.items() if heading not in ("from", "to"))
    axes: dict[str, dict[str, object]] = {}
    for panel in arranged:
        axes[f"xaxis{panel.number}"] = {"range": [0, highest], "nticks": 6}
        axes[f"yaxis{panel.number}"] = {"range": [0, 1.05 * max(most, 1)], "nticks": 4}
    axes["yaxis1"]["title"] = {"text": "documents"}
    drawn = panels.figure(
        arranged, _HEIGHT, traces=bars, axes=axes, below="activation", key=_LEGEND, barmode="group", bargap=0.08,
        legend={"y": 1, "yref": "container", "yanchor": "top"},
    )  # fmt: skip
    return FigureView(
        figure=drawn,
        alt=f"Activation of filter {name} on documents with each label. Means: {_means(shown, class_names)}.",
        table=table,
        caption=provenance(panels.checkpoints(shown), f"filter {name}", f"{len(shown[0].values):,} test documents"),
        name=panels.file_name(shown, f"filter-{name}-activations"),
    )


def _bars(
    edges: NDArray[np.float64], counts: Sequence[NDArray[np.integer]], class_names: Sequence[str], panel: int
) -> list[go.Bar]:
    """Return the bars of one panel, a trace for each label."""
    return [
        go.Bar(
            x=(edges[:-1] + edges[1:]) / 2, y=own, name=escape(class_name), legendgroup=class_name,
            showlegend=panel == 1, marker=_look(label, len(class_names)),
            hovertemplate="%{y} documents near %{x:.2f}", xaxis=f"x{panel}", yaxis=f"y{panel}",
        )
        for label, (class_name, own) in enumerate(zip(class_names, counts, strict=True))
    ]  # fmt: skip


def _means(shown: Sequence[Activations], class_names: Sequence[str]) -> str:
    return "; ".join(
        f"{panel.title}: "
        + ", ".join(
            f"{class_names[label]} {one.values[one.labels == label].mean():.2f}" for label in np.unique(one.labels)
        )
        for panel, one in zip(panels.arrange(shown), shown, strict=True)
    )


def _look(label: int, classes: int) -> dict[str, Any]:
    """Return the bars' look of one label; of two, the first is hatched as what is negative everywhere."""
    if classes == 2:
        look = theme.signed_bars([label - 0.5])
        return {"color": look["color"][0], "pattern": look["pattern"] | {"shape": look["pattern"]["shape"][0]}}
    return {"color": theme.CATEGORIES[label % len(theme.CATEGORIES)]}
