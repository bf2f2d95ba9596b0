"""A race on a toy task as it goes on: buttons, curves beside chance, one sequence with states and gates."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from nlpviz.experiments.toys import ToyTask
from nlpviz.experiments.toys.race import Race
from nlpviz.figures.recurrence.toy_curves import learning_curves
from nlpviz.figures.recurrence.toy_reading import reading_figure
from nlpviz.results.toys import ToyCurve, better
from nlpviz.ui import address, limits, plotly_view, races
from nlpviz.ui.frame import answer, explain_error, takeaway
from nlpviz.ui.recurrence import toy_races
from nlpviz.ui.recurrence.toy_races import ToyChoice
from nlpviz.ui.recurrence.toy_words import task_said

_EVERY_S = 0.5


def show(choice: ToyChoice, look: str, example: int, *, stay: bool = False) -> None:
    """Show the visitor's race, in a place that asks by itself how far it is as long as it goes on.

    Args:
        choice: what races.
        look: the network whose states are shown.
        example: the number of the sequence that it reads, from 1.
        stay: whether the page is to be left as it is when the race goes on no more, for it says something.
    """
    race = toy_races.own_race(choice)
    going = races.worker().is_going(race)
    st.fragment(_panel, run_every=_EVERY_S if going else None)(race, choice, look, example, going, stay)


def _panel(race: Race, choice: ToyChoice, look: str, example: int, *asked: bool) -> None:
    """Show what there is to see now.

    Args:
        race: the visitor's.
        choice: what races.
        look: the network whose states are shown.
        example: of the sequence that it reads.
        asked: whether this place asks by itself, and whether it goes on so where it need not.
    """
    if toy_races.own_race(choice) is not race:
        address.rerun()  # of the whole page: Reset has put another race in its place
    going = races.worker().is_going(race)
    asks, stay = asked
    if going != asks and not (asks and stay):
        address.rerun()  # of the whole page, with which asking begins or ends
    curves, task = race.curves(), choice.of
    without = task.chance(choice.length)
    _tell(race, task, curves)
    plotly_view.show(
        learning_curves(task.facts, curves, without, choice.length, horizon=_horizon(race, curves)), key="toy_curves"
    )
    _buttons(race, choice, going)
    races.tell_refusal("*Curves* shows stored training runs.")
    if race.error is not None:
        explain_error(f"Training stopped: {race.error}")
    answer("{task}", task=task_said(task, choice.length))
    _tell_above(race, task, curves)
    read = race.read(look, example - 1)
    if read is not None:
        st.header(f"One sequence, processed by {read.title} after {read.step:,} training steps", anchor=False)
        plotly_view.show(reading_figure(task.facts, read, example, choice.length), key="toy_reading")


def _buttons(race: Race, choice: ToyChoice, going: bool) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="nlpviz_toy_buttons"):
        races.buttons(race, going, partial(toy_races.start_again, choice), "Run one training step for every network")


def _horizon(race: Race, curves: Sequence[ToyCurve]) -> int:
    """Return the last step of the axis: it grows by doubling, so that early steps can be seen."""
    taken = max((curve.last.step for curve in curves), default=0)
    shown = 50
    while shown < taken:
        shown *= 2
    return min(shown, race.settings.steps)


def _tell(race: Race, task: ToyTask, curves: Sequence[ToyCurve]) -> None:
    """Say which network is ahead, and what is possible without memory; before a step, what to do."""
    name, form = ("error", "{:.1%}") if task.of_classes else ("loss", "{:.3f}")
    chance = form.format(getattr(task.chance(race.settings.length), name))
    if not (race.ready and race.steps):
        takeaway(
            "Not trained yet. Press Play to begin. Without memory, the {name} stays at {chance}.",
            name=name, chance=chance,
        )  # fmt: skip
        return
    best = min(curves, key=lambda curve: getattr(curve.last.reached, name))
    takeaway(
        "Lowest {name} after {steps:,} {noun}: {title}, {reached}; {without}: {chance}.",
        name=name, steps=race.steps, noun="step" if race.steps == 1 else "steps", title=best.title,
        reached=form.format(getattr(best.last.reached, name)), without=task.facts.without, chance=chance,
    )  # fmt: skip


def _tell_above(race: Race, task: ToyTask, curves: Sequence[ToyCurve]) -> None:
    """Say which networks are not clearly better yet than what needs no memory."""
    if not race.ready:
        if limits.most_races():
            answer("Building the networks…")
        return
    if not race.steps:
        return
    without = task.chance(race.settings.length)
    above = [
        curve.title for curve in curves if not (curve.last.step and better(curve.last.reached, without))
    ]  # untrained, it is luck
    answer(
        "No network is clearly better (by at least 10%) than {without} yet."
        if len(above) == len(curves)
        else "Not yet clearly better than {without}: {above}."
        if above
        else "All networks are clearly better than {without}.",
        without=task.facts.without, above=", ".join(above),
    )  # fmt: skip
