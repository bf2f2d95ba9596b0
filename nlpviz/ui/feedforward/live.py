"""A race of optimisers on a small problem, trained while people watch."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import streamlit as st

from nlpviz.experiments.feedforward import known_activations, known_initialisations, known_losses, small_problems
from nlpviz.experiments.feedforward.race import NetworkRace
from nlpviz.experiments.feedforward.training import TrainingSettings, examples_of
from nlpviz.experiments.optimisers import optimisers
from nlpviz.figures.feedforward.live import race_curves, regions
from nlpviz.ui import address, limits, plotly_view, races, widgets
from nlpviz.ui.frame import answer, explain_error, takeaway

_EVERY_S = 0.5
_RACE = "network race"  # in the session
_RATES = ("suggested", "0.001", "0.003", "0.01", "0.03", "0.1", "0.3", "1", "3")
_HIDDEN = {"16-16": (16, 16), "0": (), "4": (4,), "16": (16,), "64": (64,), "16-16-16-16": (16,) * 4}
_EPOCHS, _BATCH = 200, 30
_SUGGESTED = 10.0  # times the usual rate: the problems are small


@dataclass(frozen=True)
class NetworkChoice:
    """What a visitor chose: a problem, the optimisers that race, the rate (None: suggested ones), the rest."""

    problem: str
    optimisers: tuple[str, ...]
    rate: float | None
    hidden: tuple[int, ...]
    network: tuple[tuple[str, str | float], ...]
    seed: int

    def race(self) -> NetworkRace:
        """Return a race of the networks, not begun."""
        return NetworkRace(self.problem, {name: self.settings(name) for name in self.optimisers})

    def settings(self, name: str) -> TrainingSettings:
        """Return how the network with this optimiser is trained."""
        rate = _SUGGESTED * optimisers()[name].rate if self.rate is None else self.rate
        return TrainingSettings(
            self.hidden, dict(self.network), name, rate, epochs=_EPOCHS, batch=_BATCH, seed=self.seed
        )


def pick_problem() -> str:
    """Return the problem that the visitor chose."""
    known = small_problems()
    return widgets.pick("problem", "Problem", list(reversed(known)), lambda name: known[name].title)


def pick(problem: str, names: tuple[str, ...]) -> NetworkChoice:
    """Return what races on it."""
    rate = widgets.pick("pace", "Learning rate", _RATES)
    hidden = widgets.pick("hidden", "Hidden units", list(_HIDDEN), lambda one: "none" if one == "0" else one)
    network: list[tuple[str, str | float]] = []
    for key, label, there, first in (
        ("activation", "Activation", known_activations(), "tanh"),
        ("loss", "Loss", known_losses(), "cross-entropy"),
        ("initialisation", "Initialisation", known_initialisations(), "xavier"),
    ):
        titles = {name: one.title for name, one in there.items()}
        options = [first, *(name for name in titles if name != first)]
        network.append((key, widgets.pick(key, label, options, titles.__getitem__)))
    network.append(("dropout", float(widgets.pick("drop", "Dropout", ("0", "0.2", "0.5")))))
    seed = int(widgets.pick("draw", "Seed", [str(one) for one in range(10)]))
    return NetworkChoice(problem, names, None if rate == "suggested" else float(rate), _HIDDEN[hidden],
                         tuple(network), seed)  # fmt: skip


def pick_look(names: tuple[str, ...]) -> str:
    """Return the network whose answers over the plane are shown."""
    known = optimisers()
    return widgets.pick("map", "Network shown", tuple(reversed(names)), lambda name: known[name].title)


def show(choice: NetworkChoice, look: str) -> None:
    """Show the visitor's race, in a place that asks by itself how far it is as long as it goes on."""
    race = races.own(_RACE, choice, choice.race)
    going = races.worker().is_going(race)
    st.fragment(_panel, run_every=_EVERY_S if going else None)(race, choice, look, going)


def _panel(race: NetworkRace, choice: NetworkChoice, look: str, asks: bool) -> None:
    """Show what there is to see now; ``asks`` says whether this place asks by itself."""
    if races.own(_RACE, choice, choice.race) is not race:
        address.rerun()  # of the whole page: Reset has put another race in its place
    going = races.worker().is_going(race)
    if going != asks:
        address.rerun()  # of the whole page, with which asking begins or ends
    curves, title = race.curves(), small_problems()[choice.problem].title
    titles = {name: optimisers()[name].title for name in choice.optimisers}
    _tell(race, titles)
    plotly_view.show(race_curves(curves, titles, _horizon(race), title), key="race_curves")
    with st.container(horizontal=True, vertical_alignment="center", key="nlpviz_race_buttons"):
        races.buttons(race, going, partial(_start_again, choice), "Run one training step for every network")
    races.tell_refusal("*Real loss* and *Choices* show stored training runs.")
    if race.error is not None:
        explain_error(f"Training stopped: {race.error}")
    if not race.ready and limits.most_races():
        answer("Building the networks…")
    if diverged := race.diverged() if race.ready else {}:
        told = ", ".join(f"{titles[name]} (step {step:,})" for name, step in diverged.items())
        answer("Diverged because the learning rate is too large: {told}.", told=told)
    outputs = race.regions(look)
    if outputs is not None:
        points, labels = examples_of(choice.problem, choice.seed).train
        plotly_view.show(regions(outputs, points, labels, titles[look], title), key="race_regions")


def _start_again(choice: NetworkChoice) -> None:
    races.fresh(_RACE, choice, choice.race)


def _horizon(race: NetworkRace) -> int:
    """Return the last step of the axis: it grows by doubling, so that early steps can be seen."""
    shown = 50
    while shown < race.steps:
        shown *= 2
    return min(shown, race.total or shown)


def _tell(race: NetworkRace, titles: dict[str, str]) -> None:
    """Say which optimiser has the highest accuracy on held-out points; before a step, what to do."""
    if not (race.ready and race.steps):
        takeaway("Training has not started yet. Press Play to start the race of {count}.", count=_counted(len(titles)))
        return
    gone = race.diverged()
    reached = {
        titles[name]: points[-1].validation_accuracy for name, points in race.curves().items() if name not in gone
    }
    if not reached:
        takeaway("Every network diverged: the learning rate is too large.")
        return
    best = max(reached.values())
    first = [title for title, accuracy in reached.items() if accuracy == best]
    leads = f"{first[0]} leads" if len(first) == 1 else f"{len(first)} optimisers lead"
    takeaway(
        "After {steps:,} {noun}, {leads}: {accuracy:.1%} accuracy on held-out points.",
        steps=race.steps, noun="step" if race.steps == 1 else "steps", leads=leads, accuracy=best,
    )  # fmt: skip


def _counted(count: int) -> str:
    return "1 optimiser" if count == 1 else f"{count} optimisers"


def explained(choice: NetworkChoice) -> str:
    """Return how the view is to be read."""
    problem = small_problems()[choice.problem]
    rates = ", ".join(f"{choice.settings(name).rate:g} ({optimisers()[name].title})" for name in choice.optimisers)
    return f"""
**{problem.title}.** {problem.says} The networks learn from 300 points in batches of {_BATCH}; on the 200 held-out
points, a difference of less than seven percentage points between two networks may be due to chance.

All networks start with the same weights and see the same batches. Learning rates: {rates}. The suggested rates are ten
times the rates that the authors recommend for large networks. A single seed proves little: change the seed and see
whether the ranking changes.

**The plane** is coloured by the class with the largest output; a deeper colour means a larger lead over the other
classes.
"""
