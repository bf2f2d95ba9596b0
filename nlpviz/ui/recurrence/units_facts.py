"""What a page says of one unit besides: by feature and by epoch, ablated, and where it is largest."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from nlpviz.figures import panels
from nlpviz.figures.numbers import number, p_said
from nlpviz.figures.recurrence.units_facts import ablation_dots, unit_bins, unit_epochs
from nlpviz.results.units import UnitSearch
from nlpviz.runs.units import UNITS
from nlpviz.ui import plotly_view, widgets
from nlpviz.ui.calls import Call
from nlpviz.ui.frame import answer, details, escape_markdown
from nlpviz.ui.recurrence import units_cache
from nlpviz.ui.recurrence.units_choice import Shown, Wish, sampled, search

_EVERY_EPOCH = "units at every epoch"  # in the session: the word list for which every epoch was asked


def show_facts(found: Sequence[Shown], wish: Wish) -> None:
    """Show the chosen unit's mean by the feature, and its correlation at every kept epoch."""
    chosen = panels.reference(found)
    run, unit = chosen.checkpoint.run, chosen.unit
    left, right = st.columns(2, gap="medium")
    with left:
        st.markdown(f"**Mean of the unit by feature value**, over the {sampled(run)}")
        if any(one.unit in one.search.bins for one in found):
            bins = Call(unit_bins, [(one.unit, one.call) for one in found], wish.title, wish.feature.unit)
            plotly_view.show(bins, key="unit_bins")
        else:
            st.markdown("Means are stored only for the 24 highest-ranked units; this unit ranks lower.")
    with right:
        st.markdown("**Correlation at every epoch**")
        if wish.words and st.session_state.get(_EVERY_EPOCH) != wish.words:
            st.markdown(
                f"For your own word list, the network must process {chosen.search.documents} reviews at every epoch."
            )
            st.button(
                f"Search all {len(run.surveyed)} epochs", on_click=st.session_state.update,
                kwargs={_EVERY_EPOCH: wish.words}, key="every_epoch",
            )  # fmt: skip
            return
        every = [call for call in (search(run, epoch, wish) for epoch in run.surveyed) if call is not None]
        plotly_view.show(Call(unit_epochs, every, unit, wish.title), key="unit_epochs")
        _tell_untrained([call() for call in every])


def _tell_untrained(every: Sequence[UnitSearch]) -> None:
    """Say what an untrained network finds: a baseline."""
    untrained = next((one for one in every if one.epoch == 0), None)
    if untrained is None:
        return
    best = abs(float(untrained.r[untrained.best]))
    verdict = "exceeds" if untrained.follows(untrained.best) else "does not exceed"
    st.markdown(
        f"Before training, the best unit reaches |r| = {best:.2f} and {verdict} the chance threshold. A correlation "
        f"no larger than this is not evidence of learning: random recurrent weights mix the words read so far, and "
        f"some units drift steadily over the text."
    )


def show_ablation(found: Sequence[Shown]) -> None:
    """Show what holding the unit at its mean does to the accuracy over test reviews, beside random units."""
    chosen = panels.reference(found)
    run, unit = chosen.checkpoint.run, chosen.unit
    st.header("Does the prediction depend on this unit?", anchor=False)
    if UNITS not in run.files:
        widgets.tell_unmeasured(run, "The effect of ablating units on accuracy")
        return
    call = units_cache.survey(run, run.best_epoch)
    survey, position = call(), chosen.search.position(unit)
    one = None if position is None else survey.ablation(chosen.search.units[position])
    if not survey.ablations:
        st.markdown("No unit was ablated, because ablation requires a causal recurrent network.")
        return
    if one is None:
        known = ", ".join(each.unit.id for each in survey.ablations.values() if not each.random)
        st.markdown(
            f"Unit {unit} was not ablated. The ablated units are the four best for each feature and the three with "
            f"the largest output weights ({known}), plus some random units."
        )
        return
    random = [each.change.difference for each in survey.random]
    answer(
        "Fixing unit {unit} at its mean changes the accuracy ({accuracy:.1%}) by **{change} points**: {verdict}.",
        unit=one.unit.id, accuracy=survey.accuracy, change=_points(one.change.difference),
        verdict="a significant difference" if one.change.significant else "no significant difference",
    )  # fmt: skip
    most_felt = min(survey.ablations.values(), key=lambda each: each.change.difference)
    ablation = call.get("ablations").at(one.unit.id)
    plotly_view.show(Call(ablation_dots, ablation, call, run.name, run.best_epoch), key="unit_held")
    if chosen.epoch != run.best_epoch:
        st.caption(f"Units were ablated only at epoch {run.best_epoch}, the best epoch.")
    low, high = one.change.interval
    rows = {
        "Test reviews": f"{survey.documents:,}",
        "Change in accuracy (points)": _points(one.change.difference),
        "95% CI": f"{_points(low)} to {_points(high)}",
        "p (McNemar’s test)": p_said(one.change.p),
        **({f"{len(random)} random units": f"{_points(min(random))} to {_points(max(random))}"} if random else {}),
        f"Largest drop among {len(survey.ablations)} ablated units": (
            f"{most_felt.unit.id}, {_points(most_felt.change.difference)}"
        ),
    }
    with details():
        st.table({"Measure": list(rows), "Value": list(rows.values())}, hide_index=True, border="horizontal")


def _points(share: float) -> str:
    """Return a difference of shares in percentage points."""
    return number(100 * share, ".1f")


def show_extremes(found: Sequence[Shown]) -> None:
    """Show after which words of the test reviews the unit was largest and smallest."""
    chosen = panels.reference(found)
    run, unit = chosen.checkpoint.run, chosen.unit
    if UNITS not in run.files:
        return
    places = units_cache.survey(run, run.best_epoch)().largest.get(unit)
    st.header(f"Largest and smallest values of {unit} in {sampled(run)}, epoch {run.best_epoch}", anchor=False)
    if not places:
        st.markdown("These positions are stored only for units that rank among the best 24 for at least one feature.")
        return
    st.table(
        {
            "Last words read": [escape_markdown(one.ngram) for one in places],
            "Value": [number(one.value) for one in places],
            "Text": [escape_markdown(one.document) for one in places],
        },
        hide_index=True,
        border="horizontal",
    )
