"""The topics of a unit: the words that it makes likelier, one way and the other; and the classes that units follow."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nlpviz.figures import phone, theme
from nlpviz.figures.class_names import short_names
from nlpviz.figures.labelled_bars import BarRow, Group, labelled_bars
from nlpviz.figures.numbers import number
from nlpviz.figures.view import FigureView, provenance, table_of
from nlpviz.results.codes import UnitClasses, UnitTopic, ranked_units

_ROW, _ROUND = 20, 150  # pixels
_WIDTH = 26  # pixels that a class needs


def unit_words(topic: UnitTopic, run: str, epoch: int) -> FigureView:
    """Return the words whose probability rises most when the unit goes up, and those when it goes down."""
    groups = [
        Group(
            f"Unit {topic.unit} increased ({number(topic.deviation)})", [_row(word, by, "up") for word, by in topic.up]
        ),
        Group(
            f"Unit {topic.unit} decreased ({number(-topic.deviation)})",
            [_row(word, by, "down") for word, by in topic.down],
        ),
    ]
    both = [("up", *each) for each in topic.up] + [("down", *each) for each in topic.down]
    longest = max((abs(by) for _, _, by in both), default=1.0)
    names = (", ".join(word for word, _ in side[:5]) for side in (topic.up, topic.down))
    return FigureView(
        figure=labelled_bars(groups, "change in log p (nats)", longest, signed=False),
        alt="Words that become more probable when unit {} increases: {}. When it decreases: {}.".format(
            topic.unit, *names
        ),
        table=table_of(("direction", "word", "change in log p (nats)"), both),
        caption=provenance(f"{run}, epoch {epoch}", f"unit {topic.unit}", "all other units at their means"),
        name=f"{run}-epoch-{epoch}-unit-{topic.unit}",
    )


def _row(word: str, change: float, way: str) -> BarRow:
    return BarRow(word, change, number(change), f"{word}: log p {number(change)} nats, {way}", f"{way} {word}")


def auc_said(auc: float) -> str:
    """Return an area under the ROC curve as 0.5 or more, with the way in which the unit follows the class.

    An area below 0.5 tells a class from the others just as well, by low values: 0.21 is ``"0.79 downwards"``.
    """
    return f"{auc:.2f} upwards" if auc >= 0.5 else f"{1 - auc:.2f} downwards"


def unit_class_matrix(found: UnitClasses, topics: Sequence[UnitTopic], selected: int | None = None) -> FigureView:
    """Return how well each unit alone tells each class from the others, the unit that says most on top.

    Args:
        found: the areas under the ROC curves.
        topics: of the units.
        selected: the unit whose name stands out.
    """
    order = [topic.unit for topic in ranked_units(topics)]
    values = found.auc[order] - 0.5
    largest = max(float(np.abs(found.auc - 0.5).max()), found.threshold)
    rows = [f"<b>{unit}</b>" if unit == selected else str(unit) for unit in order]
    short = [theme.plain(name) for name in short_names(found.classes)]
    beyond = np.abs(values) > found.threshold
    marks_y, marks_x = np.nonzero(beyond)
    drawn = theme.figure(
        [
            {
                "type": "heatmap", "x": short, "y": rows, "z": values, "zmin": -largest, "zmax": largest,
                "colorscale": theme.SIGNED_SCALE, "xgap": 1, "ygap": 1,
                "customdata": [[str(unit)] * len(short) for unit in order],
                "text": [[auc_said(value + 0.5) for value in row] for row in values],
                "hovertemplate": "unit %{y}, %{x}: AUC %{text}<extra></extra>",
                "colorbar": {
                    "title": {"text": "AUC"}, "tickvals": [-largest, 0, largest],
                    "ticktext": [auc_said(0.5 - largest), "0.50", auc_said(0.5 + largest)], "len": 0.6,
                },
            },
            {
                "type": "scatter", "mode": "text", "x": [short[at] for at in marks_x],
                "y": [rows[at] for at in marks_y],
                "text": ["−" if values[y, x] < 0 else "+" for y, x in zip(marks_y, marks_x, strict=True)],
                "textfont": {"size": 11, "color": theme.INK}, "hoverinfo": "skip", "showlegend": False,
            },
        ],
        height=_ROW * len(order) + _ROUND,
        showlegend=False,
        xaxis={"tickangle": -60, "showgrid": False},
        yaxis={"title": {"text": "unit"}, "autorange": "reversed", "type": "category", "showgrid": False},
        meta=phone.least_width(_WIDTH * len(short) + 120),
    )  # fmt: skip
    best = np.unravel_index(np.abs(found.auc - 0.5).argmax(), found.auc.shape)
    return FigureView(
        figure=drawn,
        alt=(
            f"Areas under the ROC curve of {len(order)} units and {len(short)} classes; the strongest is unit {best[0]}"
            f" for {found.classes[best[1]]}, {auc_said(float(found.auc[best]))}. "
            f"In 95% of {found.redraws} label shuffles, the best pair stays within "
            f"0.50 ± {found.threshold:.3f}; {int(beyond.sum())} pairs lie outside this range."
        ),
        table={
            "unit": np.arange(len(found.auc)),
            **{name: found.auc[:, place] for place, name in enumerate(found.classes)},
        },
        caption=provenance(
            f"{found.run}, epoch {found.epoch}", f"{found.documents:,} test documents", "+ and −: beyond chance"
        ),
        name=f"{found.run}-epoch-{found.epoch}-classes",
    )
