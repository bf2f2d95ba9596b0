"""What a page shows and says of units: the ranking, and one unit over a text."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st

from nlpviz.analysis.inspection.units_sample import unit_course
from nlpviz.figures import panels
from nlpviz.figures.numbers import number
from nlpviz.figures.recurrence.units import unit_bars
from nlpviz.figures.recurrence.units_course import course_lines, unit_html
from nlpviz.figures.view import provenance
from nlpviz.results.unit_course import UnitCourse
from nlpviz.results.units import Unit, UnitSearch
from nlpviz.ui import coloured_text, compare, plotly_view, widgets
from nlpviz.ui.cache import runs
from nlpviz.ui.calls import Call
from nlpviz.ui.frame import answer, details, escape_markdown, takeaway
from nlpviz.ui.recurrence import cache, units_cache
from nlpviz.ui.recurrence.units_choice import Shown, Wish, other_seed, sampled


def show_ranking(found: Sequence[Shown], wish: Wish) -> None:
    """Show the best units with the null's line, and say what that means."""
    chosen = panels.reference(found)
    other = other_seed(chosen.checkpoint.run, wish)
    bars = Call(unit_bars, [one.call for one in found], wish.title, other, chosen.unit)
    _tell(chosen.search, wish)
    plotly_view.show(bars, key="units", on_click=widgets.set_to("unit"))
    tell(chosen.search, wish, sampled(chosen.checkpoint.run))
    with details():
        st.table(_numbers(chosen.search, other() if other else None), hide_index=True, border="horizontal")


def _tell(found: UnitSearch, wish: Wish) -> None:
    """Say over the bars which unit follows the feature, or that none does."""
    takeaway(
        "Unit {unit} tracks *{feature}* best: r = **{r}**, above chance."
        if found.follows(found.best)
        else "No unit tracks *{feature}*: best r = **{r}**, not above chance.",
        unit=found.units[found.best].id,
        feature=wish.feature.title,
        r=number(float(found.r[found.best])),
    )


def tell(found: UnitSearch, wish: Wish, texts: str) -> None:
    """Say under the bars over which texts that is, and how many units exceed chance."""
    answer(
        "Epoch {epoch}, *{feature}*, {words:,} words of {documents} {texts}: **{followers}** of {units} exceed the "
        "chance threshold ({line:.3f}).",
        epoch=found.epoch, feature=wish.title, words=found.words, documents=found.documents, texts=texts,
        followers=found.followers, units=_counted(found.units), line=found.threshold,
    )  # fmt: skip


def _numbers(found: UnitSearch, other: UnitSearch | None) -> dict[str, list[str]]:
    """Return what else was measured of the best unit, as a table."""
    r, low, high = (float(each[found.best]) for each in (found.r, found.low, found.high))
    rows = {
        "Best unit": found.units[found.best].id,
        "r (95% CI)": f"{number(r)} ({number(low)} to {number(high)})",
        "Share of the feature’s variance explained": f"{r * r:.1%}",
        f"Chance threshold (95% of {found.redraws} searches)": f"{found.threshold:.3f}",
    }
    if other is None:
        rows["Another seed"] = "not searched"
    elif other.ever:
        title = runs()[other.run].title if other.run in runs() else other.run
        rows[f"Best r of {escape_markdown(title)}"] = number(float(other.r[other.best]))
    return {"Measure": list(rows), "Value": list(rows.values())}


def _counted(units: Sequence[Unit]) -> str:
    """Return how many units there are: ``"139 units"``, ``"232 states (hidden and cell states of 116 units)"``."""
    own = {(unit.layer, unit.number) for unit in units}
    return (
        f"{len(own)} units" if len(own) == len(units) else f"{len(units)} states (hidden and cell, of {len(own)} units)"
    )


def show_text(found: Sequence[Shown], text: str, wish: Wish) -> None:
    """Show the text coloured by the unit of each checkpoint, and the unit with the feature over its words."""
    chosen_run = panels.reference(found).checkpoint.run
    weights = units_cache.weights(chosen_run)
    calls = [_course(one, text, wish, weights) for one in found]
    courses = [call() for call in calls]
    if not all(len(one.values) for one in courses):
        st.markdown("No words were read, so the unit has no value. Type a longer text.")
        return
    chosen = panels.reference(courses)
    _tell_text(chosen, wish)
    for one, (title, cell) in zip(courses, compare.cells(courses), strict=True):
        with cell:
            if len(courses) > 1:
                st.markdown(f"**{escape_markdown(title)}: {one.unit.id}**")
            coloured_text.show(
                unit_html(one, max(float(np.abs(each.values).max()) for each in courses if each.run == one.run)),
                caption=provenance(panels.checkpoints([one]), f"unit {one.unit.id}"),
                name=panels.file_name([one], f"unit-{one.unit.id}-text"),
            )
    plotly_view.show(Call(course_lines, calls, wish.title, wish.feature.unit), key="unit_course")


def _course(one: Shown, text: str, wish: Wish, weights: Call[dict[str, float]]) -> Call[UnitCourse]:
    """Return the unit and the feature over a text."""
    position = one.search.position(one.unit)
    assert position is not None, "units that are offered are there"
    unit = one.search.units[position]
    return Call(unit_course, cache.states(*one.checkpoint, text), unit, wish.call, weights)


def _tell_text(course: UnitCourse, wish: Wish) -> None:
    """Say how far the unit follows the feature in this text."""
    if course.r is not None:
        st.markdown(
            f"In this text, unit {course.unit.id} and *{escape_markdown(wish.title)}* correlate with r = "
            f"**{number(course.r)}** over {len(course.values):,} words. This is only an example; the evidence comes "
            f"from the test texts above."
        )
    elif len(course.feature) and not np.ptp(course.feature):
        st.markdown(
            f"*{escape_markdown(wish.title).capitalize()}* is the same at every word of this text, so the "
            f"correlation is undefined."
        )
