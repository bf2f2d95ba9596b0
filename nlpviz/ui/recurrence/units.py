"""What a page shows and says of units: the ranking, and one unit over a text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import streamlit as st

from nlpviz.figures import panels
from nlpviz.figures.numbers import number
from nlpviz.figures.recurrence.units import unit_bars
from nlpviz.figures.recurrence.units_course import UnitCourse, course_lines, unit_html
from nlpviz.figures.view import provenance
from nlpviz.reading.units_sample import course_of
from nlpviz.results.units import Unit, UnitSearch
from nlpviz.snippets import units as snippets
from nlpviz.ui import beside, coloured_text, plotly_view, widgets
from nlpviz.ui.frame import answer, escape_markdown
from nlpviz.ui.recurrence import cache, question, units_cache
from nlpviz.ui.recurrence.units_choice import Shown, Wish, other_seed, sampled


def show_ranking(found: Sequence[Shown], wish: Wish) -> None:
    """Show the best units with the null's line, and say what that means."""
    chosen = panels.reference(found)
    other = other_seed(chosen.checkpoint.run, wish)
    drawn = unit_bars([one.search for one in found], wish.title, other, chosen.unit)
    code = "" if wish.words else snippets.ranking([(one.run, one.epoch) for one in found], wish.feature.name)
    plotly_view.show(drawn, key="units", on_click=widgets.set_to("unit"), code=code)
    tell(chosen.search, wish, other, sampled(chosen.checkpoint.run))


def tell(found: UnitSearch, wish: Wish, other: UnitSearch | None, texts: str) -> None:
    """Say which unit follows the feature, whether it beats chance, and what another seed finds."""
    best = found.best
    r = float(found.r[best])
    sentence = (
        "Epoch {epoch}, *{feature}*: the best of {units} is **{unit}**, r = **{r}** (95 % interval {low} to "
        "{high}, over {words:,} words of {documents} {texts}). "
    )
    if found.follows(best):
        sentence += (
            "In {redraws} searches with the feature shifted within its texts, or swapped between them, the best unit "
            "stays below {line:.3f} in 95 %: so {unit} **correlates with the feature beyond chance**, as do "
            "{followers} in all. It explains {share:.1%} of the feature's variance."
        )
    else:
        sentence += (
            "That is **within what chance finds**: in {redraws} searches with the feature shifted within its texts, "
            "or swapped between them, the best unit stays below {line:.3f} in 95 %. **No unit can be said to follow "
            "it**."
        )
    if other is not None and other.ever:
        sentence += " In {seed} the best unit reaches r = {there}."
    there = float("nan") if other is None else float(other.r[other.best])
    answer(
        sentence, epoch=found.epoch, feature=wish.title, units=_counted(found.units), unit=found.units[best].id,
        r=number(r), low=number(float(found.low[best])), high=number(float(found.high[best])), words=found.words,
        documents=found.documents, texts=texts, line=found.threshold, redraws=found.redraws, followers=found.followers,
        share=r * r, seed=other.run if other else "", there=number(there),
    )  # fmt: skip
    if other is None:
        st.caption("No run of the same network from another seed was searched, so it is not known whether that recurs.")


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
    courses = [_course(one, text, wish, weights) for one in found]
    if not all(len(one.values) for one in courses):
        st.markdown("No word was read, so the unit has no value. Type a longer text.")
        return
    chosen = panels.reference(courses)
    _tell_text(chosen, wish)
    for one, (title, cell) in zip(courses, beside.cells(courses), strict=True):
        with cell:
            if len(courses) > 1:
                st.markdown(f"**{escape_markdown(title)}: {one.unit.id}**")
            coloured_text.show(
                unit_html(one, max(float(np.abs(each.values).max()) for each in courses if each.run == one.run)),
                caption=provenance(panels.checkpoints([one]), f"unit {one.unit.id}"),
                name=panels.file_name([one], f"unit-{one.unit.id}-text"),
            )
    sources = [(one.run, one.epoch, one.unit) for one in found]
    code = snippets.course(sources, question.words_of(chosen_run), text, wish.feature.name, wish.words)
    plotly_view.show(course_lines(courses, wish.title, wish.feature.unit), key="unit_course", code=code)


def _course(one: Shown, text: str, wish: Wish, weights: Mapping[str, float]) -> UnitCourse:
    """Return the unit and the feature over a text."""
    states = cache.states(*one.checkpoint, text)
    position = one.search.position(one.unit)
    assert position is not None, "units that are offered are there"
    unit = one.search.units[position]
    feature = wish.feature.course(states.text, weights)
    return UnitCourse(one.run, one.epoch, unit, states.text, course_of(states, unit), feature)


def _tell_text(course: UnitCourse, wish: Wish) -> None:
    """Say how far the unit follows the feature in this text."""
    if course.r is not None:
        st.markdown(
            f"In this text unit {course.unit.id} and *{escape_markdown(wish.title)}* correlate with r = "
            f"**{number(course.r)}** over {len(course.values):,} words: an example, "
            "while the test texts above are the evidence."
        )
    elif len(course.feature) and not np.ptp(course.feature):
        st.markdown(f"*{escape_markdown(wish.title).capitalize()}* is the same at every word of this text.")
