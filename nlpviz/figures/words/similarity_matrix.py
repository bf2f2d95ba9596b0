"""How similar words are to each other: a matrix of cosines, one panel a source, all on one diverging scale."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from nlpviz.figures import map_panels, numbers, theme
from nlpviz.figures.view import FigureView, Table, provenance
from nlpviz.results.word_queries import SimilarityMatrix
from nlpviz.text.vocabulary import shortened

_NUMBERS, _NUMBERS_BESIDE = 12, 6
"""Words up to which a cell has room for its number, on a phone too: in the only panel, in one of two."""
_LETTERS = 14
_LABELS = 26  # pixels of height that a word needs
_TOOLS = 36  # pixels that Plotly's buttons take over the only panel
_MARKED = 1 / 3  # of the largest magnitude: a negative cell from here on carries a dash
_UNSIGNED = ((0.0, theme.MIDDLE), (1.0, theme.POSITIVE))
_FULL = 0.8  # of the largest magnitude: from here on the page's ground reads better on a cell than its ink


def similarity_matrices(panels: Sequence[SimilarityMatrix], ordered_by: int = 0) -> FigureView:
    """Return the matrices, with the words of all panels in one order; what a source does not know stays empty.

    The ends of the scale are the largest magnitude off the diagonals, so that zero has one colour in all panels. It has
    no negative half where no cosine is negative, and no bar where the cells say their numbers.

    Args:
        panels: one a source, at least one.
        ordered_by: the position of the panel whose clustering the order is; words that it lacks follow.
    """
    words = list(dict.fromkeys(word for one in (panels[ordered_by], *panels) for word in one.words))
    cosines = [_in_order(panel, words) for panel in panels]
    largest = max((_off_diagonal(one) for one in cosines), default=0.0) or 1.0
    columns = min(len(panels), map_panels.IN_A_ROW)
    rows = -(-len(panels) // columns)
    row = max(_LABELS * len(words), 200) if columns == 1 else max(20 * len(words), 180)
    between = 34 + 7 * min(
        max(map(len, words), default=0), _LETTERS
    )  # pixels: words under a row, the next one's titles
    high = rows * row + (rows - 1) * between
    fits = len(words) <= (_NUMBERS if columns == 1 else _NUMBERS_BESIDE)
    signed = any(bool((one < 0).any()) for one in cosines)
    bar = {"thickness": 12, "len": 1, "y": 0.5, "nticks": 5, "title": {"text": "cosine"}}
    top = map_panels.HEADING if len(panels) > 1 else _TOOLS
    drawn = theme.figure(
        height=high + 130, showlegend=False, margin={"l": 8, "r": 8, "t": top, "b": 8},
        coloraxis={
            "colorscale": theme.SIGNED_SCALE if signed else _UNSIGNED, "cmin": -largest if signed else 0,
            "cmax": largest, "showscale": not fits, "colorbar": bar,
        },
    )  # fmt: skip
    names = [escape(shortened(word, _LETTERS)) for word in words]
    names = [
        f"{name}{chr(0x200B) * names[:position].count(name)}" for position, name in enumerate(names)
    ]  # each its own
    for position, (panel, values) in enumerate(zip(panels, cosines, strict=True)):
        domain = map_panels.cell(position, len(panels), between / high)
        _add(drawn, position, (values, names, largest), domain, fits=fits)
        drawn.add_annotation(map_panels.title(domain, f"<b>{escape(panel.source)}</b>") if len(panels) > 1 else {})
    drawn.layout.annotations = [one for one in drawn.layout.annotations if one.text]
    return FigureView(
        figure=drawn,
        alt=_alt(panels, words, cosines),
        table=_table(panels, words, cosines),
        caption=provenance(
            "; ".join(dict.fromkeys(panel.source for panel in panels)),
            f"cosines of {len(words)} words",
            "ordered by average-linkage clustering" + (f" of {panels[ordered_by].source}" if len(panels) > 1 else ""),
            "a dash marks a negative value" if not fits else "rounded to two decimals",
        ),
        name="similarity",
    )


def _in_order(matrix: SimilarityMatrix, words: Sequence[str]) -> NDArray[np.float32]:
    """Return the cosines of ``words`` in their order, not a number where the matrix lacks one of them."""
    positions = {word: position for position, word in enumerate(matrix.words)}
    known = [position for position, word in enumerate(words) if word in positions]
    rows = [positions[words[position]] for position in known]
    ordered = np.full((len(words), len(words)), np.nan, dtype=np.float32)
    ordered[np.ix_(known, known)] = matrix.cosines[np.ix_(rows, rows)]
    return ordered


def _off_diagonal(cosines: NDArray[np.float32]) -> float:
    """Return the largest magnitude of two different words."""
    others = np.abs(cosines[~np.eye(len(cosines), dtype=bool)])
    return float(np.nanmax(others)) if np.isfinite(others).any() else 0.0


def _add(
    drawn: go.Figure, position: int, cells: tuple[NDArray[np.float32], list[str], float],
    domain: dict[str, tuple[float, float]], *, fits: bool,
) -> None:  # fmt: skip
    """Draw the panel at ``position`` in its ``domain``: its cells, their numbers where these fit, else dashes."""
    values, names, largest = cells
    number = position + 1
    here = {"xaxis": f"x{number}", "yaxis": f"y{number}"}
    drawn.add_trace(
        go.Heatmap(
            z=values, x=names, y=names, coloraxis="coloraxis", xgap=1, ygap=1, hoverongaps=False, **here,
            hovertemplate="%{y} and %{x}: %{z:.3f}<extra></extra>",
        )
    )  # fmt: skip
    if fits:
        full = np.abs(values) >= _FULL * largest
        for cells_of, color in ((full, theme.SURFACE), (~full & np.isfinite(values), theme.INK)):
            rows, columns = np.nonzero(cells_of)
            drawn.add_trace(
                go.Scatter(
                    x=[names[column] for column in columns], y=[names[row] for row in rows], mode="text",
                    text=[numbers.number(value, signed=False) for value in values[rows, columns]],
                    textfont={"size": 10, "color": color}, hoverinfo="skip", **here,
                )
            )  # fmt: skip
    else:
        rows, columns = np.nonzero(values < -_MARKED * largest)
        drawn.add_trace(
            go.Scatter(
                x=[names[column] for column in columns], y=[names[row] for row in rows], mode="markers",
                hoverinfo="skip", marker={"symbol": "line-ew-open", "size": 5, "color": theme.INK}, **here,
            )
        )  # fmt: skip
    bare = {"type": "category", "showgrid": False, "zeroline": False, "categoryarray": names, "title": {"text": ""}}
    drawn.update_layout(
        {
            f"xaxis{number}": {**bare, "domain": domain["x"], "anchor": f"y{number}", "tickangle": -90},
            f"yaxis{number}": {
                **bare, "domain": domain["y"], "anchor": f"x{number}", "autorange": "reversed",
                "showticklabels": position % map_panels.IN_A_ROW == 0,
            },
        }
    )  # fmt: skip


def _pairs(words: Sequence[str], cosines: NDArray[np.float32]) -> list[tuple[float, str, str]]:
    """Return the known pairs of different words, the most similar first."""
    rows, columns = np.triu_indices(len(words), k=1)
    result = [
        (float(cosines[row, column]), words[row], words[column])
        for row, column in zip(rows.tolist(), columns.tolist(), strict=True)
        if np.isfinite(cosines[row, column])
    ]
    return sorted(result, key=lambda pair: -pair[0])


def _alt(panels: Sequence[SimilarityMatrix], words: Sequence[str], cosines: Sequence[NDArray[np.float32]]) -> str:
    parts = []
    for panel, values in zip(panels, cosines, strict=True):
        pairs = _pairs(words, values)
        if not pairs:
            parts.append(f"{panel.source}: fewer than two of the words are in the vocabulary")
            continue
        (best, one, other), (least, far, from_) = pairs[0], pairs[-1]
        parts.append(f"{panel.source}: from {least:.2f} ({far} and {from_}) to {best:.2f} ({one} and {other})")
    return f"Pairwise cosine similarities of {len(words)} words. {'; '.join(parts)}."


def _table(panels: Sequence[SimilarityMatrix], words: Sequence[str], cosines: Sequence[NDArray[np.float32]]) -> Table:
    """Return a row for each two words, a column for each source."""
    rows, columns = np.triu_indices(len(words), k=1)
    table: Table = {
        "word": [words[row] for row in rows.tolist()],
        "other word": [words[column] for column in columns.tolist()],
    }
    return table | {
        f"cosine, {panel.source}": values[rows, columns] for panel, values in zip(panels, cosines, strict=True)
    }
