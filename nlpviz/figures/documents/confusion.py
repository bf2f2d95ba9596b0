"""The confusion matrix: of the documents of each class, how many are predicted as which."""

from __future__ import annotations

from html import escape

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from nlpviz.figures import theme
from nlpviz.figures.view import FigureView, Table, provenance, table_of
from nlpviz.results.confusion import Confusion

_ROW, _LEAST = 24, 200  # pixels of height
_NUMBERS = 24
"""Classes up to which a cell has room for its count."""
_FEW, _HIGH, _RATIO = 5, 76, 0.5
"""Classes up to which a cell says its share too; the pixels of its height, as a share of its width."""
_FULL = 0.45  # of a row: from here on the page's ground reads better on a cell than its ink
_NAMED = 3  # confusions in the alternative text


def confusion_matrix(confusion: Confusion, *about: str, document: str = "text") -> FigureView:
    """Return the matrix: rows are the true classes, columns the predicted ones, cells shares of their row.

    A cell says how many documents it is of; one without any is left empty.

    Args:
        confusion: the counts.
        about: where they come from, for the caption: run, epoch, split.
        document: what one document is called.
    """
    counts, names = confusion.counts, [escape(name) for name in confusion.class_names]
    shares, few = _shares(confusion), len(confusion.class_names) <= _FEW
    compact = {"scaleanchor": "x", "scaleratio": _RATIO, "constrain": "domain", "constraintoward": "top"} if few else {}
    toward = {"constrain": "domain", "constraintoward": "left"} if few else {}
    drawn = theme.figure(
        [
            go.Heatmap(
                z=np.where(counts > 0, shares, np.nan), x=names, y=names, zmin=0, zmax=1, xgap=1, ygap=1,
                colorscale=theme.WEIGHT_SCALE, hoverongaps=False, customdata=counts, showscale=not few,
                colorbar={"title": {"text": "share of<br>the row"}, "tickformat": ".0%", "thickness": 10, "len": 0.6},
                hovertemplate=(
                    "%{y}, predicted as %{x}: %{customdata:,} (%{z:.1%} of the row)<extra></extra>"
                ),
            )
        ],
        height=_HIGH * len(names) + 92 if few else max(_ROW * len(names), _LEAST) + 170, showlegend=False,
        x="predicted", y="true class",
        yaxis={"autorange": "reversed", "showgrid": False, "ticklabelstandoff": 0, **compact},
        xaxis={"side": "bottom", "tickangle": -45 if len(names) > 2 else 0, "showgrid": False, **toward},
        margin={"l": 8, "r": 8, "t": 36, "b": 8},
    )  # fmt: skip
    if len(names) <= _NUMBERS:
        full = shares >= _FULL
        for cells, color in ((full, theme.SURFACE), (~full & (counts > 0), theme.INK)):
            rows, columns = np.nonzero(cells)
            drawn.add_trace(
                go.Scatter(
                    x=[names[column] for column in columns], y=[names[row] for row in rows], mode="text",
                    text=[
                        f"<b>{counts[row, column]:,}</b><br>{shares[row, column]:.0%}" if few
                        else f"{counts[row, column]:,}"
                        for row, column in zip(rows, columns, strict=True)
                    ],
                    textfont={"size": 15 if few else 11, "color": color}, hoverinfo="skip",
                )
            )  # fmt: skip
    return FigureView(
        figure=drawn,
        alt=_alt(confusion, document),
        table=_table(confusion),
        caption=provenance(
            *about, f"{int(counts.sum()):,} {document}s", "rows: true classes; columns: predicted classes"
        ),
        name="confusion",
    )


def _shares(confusion: Confusion) -> NDArray[np.float64]:
    """Return each count as a share of its row, (K, K); 0 in a row without documents."""
    return np.asarray(confusion.counts / np.maximum(confusion.counts.sum(axis=1, keepdims=True), 1))


def largest_confusions(confusion: Confusion, most: int = _NAMED) -> list[tuple[str, str, int]]:
    """Return the ``most`` pairs of true and predicted class that are confused most often, with their counts."""
    wrong = confusion.counts.copy()
    np.fill_diagonal(wrong, 0)
    order = np.argsort(-wrong, axis=None, kind="stable")[:most]
    pairs = [divmod(int(place), len(wrong)) for place in order]
    names = confusion.class_names
    return [(names[row], names[column], int(wrong[row, column])) for row, column in pairs if wrong[row, column]]


def _alt(confusion: Confusion, document: str) -> str:
    """Return how many are right, and the commonest confusions."""
    counts, total = confusion.counts, int(confusion.counts.sum())
    said = "; ".join(
        f"{count:,} of {true} predicted as {predicted}" for true, predicted, count in largest_confusions(confusion)
    )
    return (
        f"Confusion matrix of {len(confusion.class_names)} classes: {int(np.trace(counts)):,} of {total:,} {document}s "
        f"on the diagonal. Most often confused: {said or 'none'}."
    )


def _table(confusion: Confusion) -> Table:
    """Return a row for each pair of classes."""
    names, counts, shares = confusion.class_names, confusion.counts.tolist(), _shares(confusion).tolist()
    rows = [(name, list(names), counts[label], shares[label]) for label, name in enumerate(names)]
    return table_of(("true", "predicted", "count", "share of the row"), rows)
