"""What an explanation's scores are made of: its matrix, a row for each token, a column for each dimension."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from nlpviz.figures import panels, theme
from nlpviz.figures.numbers import number, unit_of_score
from nlpviz.figures.view import FigureView, Table, provenance
from nlpviz.results.explanation import Explanation

SHOWN = 30
_ROW = 19  # pixels
_MARKED = 1 / 3  # of the largest magnitude: a negative cell from here on carries a dash


def token_matrix(explanations: Sequence[Explanation]) -> FigureView:
    """Return the matrices as heatmaps, one a checkpoint, on one diverging scale with zero in its middle.

    The rows are the strongest tokens at the first run's last epoch, in reading order; the table holds these rows.
    A dash marks strongly negative cells, so that hue alone tells no sign.

    Args:
        explanations: of one text by one method, one for each checkpoint shown.

    Raises:
        ValueError: if the method has no matrix.
    """
    chosen, positions = panels.reference(explanations), panels.shared_places(explanations, SHOWN)
    words = [chosen.encoded.read[position].word for position in positions]
    labels = [panels.row_label(word, position) for word, position in zip(words, positions, strict=True)]
    matrices = [_matrix(explanation)[positions] for explanation in explanations]
    largest = max((float(np.abs(matrix).max()) for matrix in matrices if matrix.size), default=0.0) or 1.0
    bar = {"thickness": 10, "len": 160, "lenmode": "pixels", "y": 1, "yanchor": "top", "nticks": 5}
    scale = {"colorscale": theme.SIGNED_SCALE, "cmin": -largest, "cmax": largest, "colorbar": bar}
    unit = unit_of_score(len(chosen.class_names)) + " per unit" * (not chosen.signed)
    arranged = panels.arrange(explanations)
    cells, axes = [], {}
    for panel, matrix in zip(arranged, matrices, strict=True):
        cells += _cells(matrix, labels, panel.number, largest)
        axes[f"xaxis{panel.number}"] = {"showgrid": False, "zeroline": False, "range": [0.5, matrix.shape[1] + 0.5]}
        axes[f"yaxis{panel.number}"] = {
            "range": [max(len(positions), 1) - 0.5, -0.5], "showticklabels": panel.column == 0, "type": "category",
            "showgrid": False,
        }  # fmt: skip
    drawn = panels.figure(
        arranged, _ROW * max(len(positions), 3), traces=cells, axes=axes,
        below=f"dimension of the word’s vector; colour: {unit}", showlegend=False, margin={"l": 110}, coloraxis=scale,
    )  # fmt: skip
    target = chosen.class_names[chosen.target]
    return FigureView(
        figure=drawn,
        alt=_alt(explanations, matrices, words),
        table=_table(explanations, positions),
        caption=provenance(
            panels.checkpoints(explanations),
            chosen.method,
            f"target {target}",
            panels.shown_of_read(chosen, len(positions)),
            "dash: negative",
        ),
        name=panels.file_name(explanations, f"{chosen.method}-matrix"),
    )


def _matrix(explanation: Explanation) -> NDArray[np.float32]:
    if explanation.matrix is None:
        raise ValueError(f"{explanation.method} has no matrix, because it computes no scores per dimension")
    return explanation.matrix


def _cells(
    matrix: NDArray[np.float32], labels: Sequence[str], number: int, largest: float
) -> list[go.Heatmap | go.Scatter]:
    """Return a panel's cells, and the dashes on the strongly negative ones."""
    axes = {"xaxis": f"x{number}", "yaxis": f"y{number}"}
    rows, columns = np.nonzero(matrix < -_MARKED * largest)
    marked = [labels[row] for row in rows.tolist()]
    return [
        go.Heatmap(
            z=matrix, x0=1, dx=1, y=labels, coloraxis="coloraxis", ygap=1, **axes,
            hovertemplate="%{y}, dimension %{x}: %{z:+.3g}<extra></extra>",
        ),
        go.Scatter(
            x=(columns + 1).astype(np.int16), y=marked, mode="markers", hoverinfo="skip",
            marker={"symbol": "line-ew-open", "size": 4, "color": theme.SURFACE}, **axes,
        ),
    ]  # fmt: skip


def _alt(explanations: Sequence[Explanation], matrices: Sequence[NDArray[np.float32]], words: Sequence[str]) -> str:
    parts = []
    for panel, matrix in zip(panels.arrange(explanations), matrices, strict=True):
        if not matrix.size:
            parts.append(f"{panel.title}: no words were read")
            continue
        row, column = divmod(int(np.abs(matrix).argmax()), matrix.shape[1])
        parts.append(
            f"{panel.title}: value of largest magnitude {number(matrix[row, column], '.2g')}, for {words[row]} in "
            f"dimension {column + 1}"
        )
    return f"Scores of {len(words)} tokens by vector dimension, {explanations[-1].method}. {'; '.join(parts)}."


def _table(explanations: Sequence[Explanation], positions: list[int]) -> Table:
    """Return a row for each token of each checkpoint, a column for each dimension."""
    tokens = [panels.reference(explanations).encoded.read[position] for position in positions]
    matrices = [_matrix(explanation) for explanation in explanations]
    widest = max(matrix.shape[1] for matrix in matrices)
    values = np.full((len(explanations), len(positions), widest), np.nan, dtype=np.float32)
    for checkpoint, matrix in zip(values, matrices, strict=True):
        checkpoint[:, : matrix.shape[1]] = matrix[positions]
    table: Table = {
        "run": [explanation.run for explanation in explanations for _ in positions],
        "epoch": [explanation.epoch for explanation in explanations for _ in positions],
        "place": [position + 1 for _ in explanations for position in positions],
        "token": [token.word for _ in explanations for token in tokens],
    }
    return table | {f"dimension {number + 1}": values[:, :, number].ravel() for number in range(widest)}
