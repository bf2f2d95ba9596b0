"""Gates and states as heatmaps, a column for each word and a row for each unit: one panel a checkpoint."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from nlpviz.figures import panels, phone, theme, word_axis
from nlpviz.figures.recurrence import words
from nlpviz.figures.view import FigureView, Table, provenance
from nlpviz.results.gates import PartCourse

WORDS = 100_000
"""A cell hands on ``unit * WORDS + word``, both from 1: numbers are packed, names would be a megabyte."""
_LOW, _HIGH, _ROW = 240, 420, 4  # pixels: of a panel, of a unit
_NAMED = 24  # units that have room for their numbers
_SHARE = 99  # per cent of the magnitudes that the scale tells apart: few large ones would leave the others pale
_MARKED = 1 / 3  # of the end of the scale: a negative cell from here on carries a dash
_MOST_MARKS = 2500  # of a panel: SVG is slow with more


def part_heatmap(
    shown: Sequence[PartCourse],
    ordered_by: str,
    unit: int | None,
    word: int | None,
    *,
    full: float | None = None,
    clickable: bool = True,
) -> FigureView:
    """Return one part of the cell over the text: gates from 0 to 1, all else on a diverging scale about zero.

    Panels of one run have their units in one order. A dash marks strongly negative cells, as far as there is room.

    Args:
        shown: one for each checkpoint, the chosen run's first, all of the same part.
        ordered_by: how the units are ordered, in words.
        unit: the one that stands out; None for none.
        word: the position of the word that stands out; None for none.
        full: the magnitude at full colour, where other figures are on the same scale; of a gate it is 1.
        clickable: whether a cell hands on which one it is.
    """
    arranged, gate = panels.arrange(shown), shown[0].is_gate
    cells = [course.values[: word_axis.SHOWN].T[course.order] for course in shown]  # (H, T) each
    largest = full_colour(shown) if full is None else full
    columns = 1 + max(panel.column for panel in arranged)
    traces: list[go.Heatmap | go.Scatter] = []
    axes: dict[str, dict[str, object]] = {}
    shapes: list[dict[str, object]] = []
    for panel, course, values in zip(arranged, shown, cells, strict=True):
        names = words.labels(course.states)
        traces.append(_cells(course, values, names, panel.number, clickable=clickable))
        traces += [] if gate else _dashes(course, values < -_MARKED * largest, panel.number)
        axes[f"xaxis{panel.number}"] = word_axis.axis(names, columns)
        axes[f"yaxis{panel.number}"] = {**_units(course, unit), "showticklabels": panel.column == 0}
        shapes += _frames(course, unit, word, panel.number)
    height = int(np.clip(_ROW * max(len(one) for one in cells), _LOW, _HIGH))
    drawn = panels.figure(
        arranged, height, traces=traces, axes=axes, shapes=shapes, showlegend=False,
        margin={"l": 64, "b": word_axis.room(cells[0].shape[1], columns)},
        coloraxis=_scale(largest, gate=gate), meta=phone.least_width(columns * 300),
    )  # fmt: skip
    part = _called(shown[0])
    return FigureView(
        figure=drawn,
        alt=_alt(shown, part),
        table=_table(shown),
        caption=provenance(
            panels.checkpoints(shown), f"{part}: one column per word, one row per unit", f"units {ordered_by}",
            *([] if gate else [f"colour scale: ±{largest:.2g} ({_SHARE}th percentile); dashes: negative values"]),
        ),
        name=panels.file_name(shown, shown[0].part.replace(" ", "-")),
    )  # fmt: skip


def chosen_cell(identifier: str) -> tuple[int, int]:
    """Return the unit and the word, both from 1, that a clicked cell hands on."""
    unit, word = divmod(int(float(identifier)), WORDS)
    return unit, word


def _called(course: PartCourse) -> str:
    """Return what the part is called, with its layer where there are several."""
    return course.part + (f" of layer {course.layer + 1}" if course.states.layers > 1 else "")


def full_colour(shown: Sequence[PartCourse]) -> float:
    """Return the magnitude at full colour, one for all of ``shown``: 1 of a gate, else most magnitudes; never zero."""
    if shown[0].is_gate:
        return 1.0
    magnitudes = np.concatenate([np.abs(course.values[: word_axis.SHOWN]).ravel() for course in shown])
    return (float(np.percentile(magnitudes, _SHARE)) or float(magnitudes.max())) or 1.0 if magnitudes.size else 1.0


def _cells(
    course: PartCourse, values: NDArray[np.float32], names: Sequence[str], number: int, *, clickable: bool
) -> go.Heatmap:
    identifiers = (course.order[:, None] + 1) * WORDS + np.arange(1, len(names) + 1)
    return go.Heatmap(
        z=values, x=list(names), y=_rows(course), customdata=identifiers.astype(np.int32) if clickable else None,
        coloraxis="coloraxis", xaxis=f"x{number}", yaxis=f"y{number}",
        hovertemplate=f"%{{x}}<br>%{{y}}: %{{z:{'.3f' if course.is_gate else '+.3f'}}}<extra></extra>",
    )  # fmt: skip


def _dashes(course: PartCourse, marked: NDArray[np.bool_], number: int) -> list[go.Scatter]:
    """Return the dashes on the cells that are strongly negative; none where there are too many to draw."""
    rows, columns = np.nonzero(marked)
    if len(rows) > _MOST_MARKS:
        rows, columns = rows[:0], columns[:0]
    units, names = _rows(course), words.labels(course.states)
    return [
        go.Scatter(
            x=[names[column] for column in columns], y=[units[row] for row in rows], mode="markers", hoverinfo="skip",
            marker={"symbol": "line-ew-open", "size": 3, "color": theme.SURFACE}, xaxis=f"x{number}",
            yaxis=f"y{number}",
        )
    ]  # fmt: skip


def _rows(course: PartCourse) -> list[str]:
    """Return what the axis calls its rows: an axis of categories takes bare numbers for their places."""
    return [f"unit {unit + 1}" for unit in course.order]


def _units(course: PartCourse, unit: int | None) -> dict[str, object]:
    """Return the axis of the units: all numbers where they fit, else that of the chosen one."""
    count, names = len(course.order), _rows(course)
    at = list(range(count)) if count <= _NAMED else _row(course, unit)
    return {
        "type": "category", "categoryarray": names, "range": [count - 0.5, -0.5], "showgrid": False, "zeroline": False,
        "tickvals": at, "ticktext": [names[row] for row in at], "title": {"text": ""},
    }  # fmt: skip


def _row(course: PartCourse, unit: int | None) -> list[int]:
    return [] if unit is None else np.flatnonzero(course.order == unit).tolist()


def _frames(course: PartCourse, unit: int | None, word: int | None, number: int) -> list[dict[str, object]]:
    """Return the frames round the row of the chosen unit and the column of the chosen word."""
    count, length = len(course.order), min(len(course.values), word_axis.SHOWN)
    boxes = [(-0.5, length - 0.5, row - 0.5, row + 0.5) for row in _row(course, unit)]
    if word is not None and word < length:
        boxes.append((word - 0.5, word + 0.5, -0.5, count - 0.5))
    return [
        {
            "type": "rect", "x0": left, "x1": right, "y0": top, "y1": bottom, "xref": panels.axis("x", number),
            "yref": panels.axis("y", number), "line": {"color": theme.INK, "width": 1.25},
        }
        for left, right, top, bottom in boxes
    ]  # fmt: skip


def _scale(largest: float, *, gate: bool) -> dict[str, Any]:
    bar = {"thickness": 10, "len": 160, "lenmode": "pixels", "y": 1, "yanchor": "top", "nticks": 5, "outlinewidth": 0}
    ends = (0.0, 1.0) if gate else (-largest, largest)
    scale = theme.MAGNITUDE_SCALE if gate else theme.SIGNED_SCALE
    return {"colorscale": scale, "cmin": ends[0], "cmax": ends[1], "colorbar": bar}


def _alt(shown: Sequence[PartCourse], part: str) -> str:
    parts = []
    for course, panel in zip(shown, panels.arrange(shown), strict=True):
        values = course.values
        if not values.size:
            parts.append(f"{panel.title}: no words were read")
            continue
        word, unit = divmod(int(np.abs(values).argmax()), values.shape[1])
        parts.append(
            f"{panel.title}: mean {values.mean():.2f}, value of largest magnitude {values[word, unit]:.2f}, in unit "
            f"{unit + 1} at {words.spoken(course.states, word)}"
        )
    return f"The {part} of {len(shown[0].order)} units after each word. {'; '.join(parts)}."


def _table(shown: Sequence[PartCourse]) -> Table:
    """Return a row for each word of each checkpoint, a column for each unit."""
    widest = max(len(course.order) for course in shown)
    values = [
        np.pad(course.values, ((0, 0), (0, widest - len(course.order))), constant_values=np.nan) for course in shown
    ]
    stacked = np.concatenate(values)
    table: Table = {
        "run": [course.run for course in shown for _ in course.values],
        "epoch": [course.epoch for course in shown for _ in course.values],
        "position": [place + 1 for course in shown for place in range(len(course.values))],
        "token": [token.name for course in shown for token in course.states.text.read],
    }
    return table | {f"unit {unit + 1}": stacked[:, unit] for unit in range(widest)}
