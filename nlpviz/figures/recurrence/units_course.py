"""A unit over the words of one text, the feature that it may follow under it, and the text coloured by the unit."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np
import plotly.graph_objects as go

from nlpviz.figures import direct_labels, panels, theme
from nlpviz.figures.numbers import number
from nlpviz.figures.tokens import SWATCHES, coloured_html, showable, swatch, token_attributes
from nlpviz.figures.view import FigureView, provenance
from nlpviz.results.unit_course import UnitCourse

_LABELLED = 30  # words that stand under the axis


def course_lines(courses: Sequence[UnitCourse], feature: str, unit: str) -> FigureView:
    """Return each checkpoint's unit as a line over the text's words, and the feature under it.

    Args:
        courses: of one text with a word at least.
        feature: its title.
        unit: of the feature; empty where it is 0 or 1.
    """
    chosen = panels.reference(courses)
    traces = _lines(courses)
    traces.append(
        go.Scatter(
            x=np.arange(1, len(chosen.feature) + 1), y=chosen.feature, mode="lines", name=escape(feature),
            fill="tozeroy", line={"shape": "hvh", "width": 1.5, "color": theme.MAGNITUDE}, yaxis="y2",
            hovertext=_words(chosen), hovertemplate="%{hovertext}: %{y:.3g}<extra></extra>",
        )
    )  # fmt: skip
    few = len(chosen.values) <= _LABELLED
    ticks = {"tickvals": list(range(1, len(chosen.values) + 1)), "ticktext": _words(chosen), "tickangle": -45}
    drawn = direct_labels.figure(
        traces, height=460, main={trace.name for trace in traces},
        yaxis={"domain": [0.36, 1], "title": {"text": "unit"}, "zeroline": True},
        yaxis2={"domain": [0, 0.28], "title": {"text": unit or "feature"}, "rangemode": "tozero", "nticks": 3},
        xaxis={"anchor": "y2", "title": {"text": "" if few else "word"}, **(ticks if few else {})},
    )  # fmt: skip
    return FigureView(
        figure=drawn,
        alt=_alt(courses, feature),
        table={
            "word": [token.name for token in chosen.encoded.read],
            feature: chosen.feature,
            **{
                f"{course.run}, epoch {course.epoch}: {course.unit.id}": _fitted(course, len(chosen.values))
                for course in courses
            },
        },
        caption=provenance(panels.checkpoints(courses), feature),
        name=panels.file_name(courses, "unit-course"),
    )


def _lines(courses: Sequence[UnitCourse]) -> list[go.Scatter]:
    """Return each checkpoint's unit as a line; those of another run are dashed."""
    last, traces = max(course.epoch for course in courses), []
    for course, panel in zip(courses, panels.arrange(courses), strict=True):
        own = course.run == courses[0].run
        color = theme.epoch_color(course.epoch, last) if own else theme.CATEGORIES[2]
        traces.append(
            go.Scatter(
                x=np.arange(1, len(course.values) + 1), y=course.values, mode="lines+markers", marker={"size": 4},
                name=f"{escape(panel.title)}: {course.unit.id}", hovertext=_words(course),
                line={"width": 2, "color": color, "dash": "solid" if own else "dash"},
                hovertemplate="%{hovertext}: %{y:+.2f}<extra></extra>",
            )
        )  # fmt: skip
    return traces


def _words(course: UnitCourse) -> list[str]:
    return [escape(showable(token.name[:24])) for token in course.encoded.read]


def _fitted(course: UnitCourse, length: int) -> list[float | None]:
    """Return the values as one column of a table: networks may read different lengths of a text."""
    values = [float(value) for value in course.values[:length]]
    return [*values, *[None] * (length - len(values))]


def _alt(courses: Sequence[UnitCourse], feature: str) -> str:
    said = []
    for course, panel in zip(courses, panels.arrange(courses), strict=True):
        low, high = float(course.values.min()), float(course.values.max())
        r = "no correlation" if course.r is None else f"r {number(course.r)}"
        said.append(f"{panel.title}: unit {course.unit.id} from {number(low)} to {number(high)}, {r} in this text")
    return f"A unit and {feature} over {len(courses[0].values):,} words. {'; '.join(said)}."


def unit_html(course: UnitCourse, scale: float) -> str:
    """Return the text as it was typed, each token coloured by the unit's value after it, and the key.

    Args:
        course: of the text.
        scale: the value at full colour, the same in pictures that are compared.
    """
    full = scale or 1.0

    def attributes(position: int) -> str:
        value = float(course.values[position])
        direction = "for" if value > 0 else "against"
        return token_attributes(course.encoded, position, number(value, ".3g"), abs(value) / full, direction)

    text = coloured_html(course.encoded, f"The text, coloured by unit {course.unit.id}", attributes)
    return f"{text}{_key(full)}"


def _key(full: float) -> str:
    ramp = f"background:linear-gradient(to right,{swatch('against')},transparent,{swatch('for')})"
    bar = f'<span class="nlpviz-ramp nlpviz-ramp-signed" aria-hidden="true" style="{ramp}"></span>'
    ends = f"<span>−{full:.2g}</span>{bar}<span>+{full:.2g}, the unit’s value after the word</span>"
    return f'<p class="nlpviz-legend" style="{SWATCHES}">{ends}</p>'
