"""The learning rate on a page: range tests, schedules, and early stopping with a patience of the visitor's choice."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from nlpviz.experiments.feedforward import known_schedules
from nlpviz.experiments.feedforward.experiments.rates import LONGER, SCHEDULE
from nlpviz.experiments.feedforward.functions import schedule_rates
from nlpviz.experiments.feedforward.stored import range_tests
from nlpviz.experiments.optimisers import optimisers
from nlpviz.figures.feedforward import rates as figures
from nlpviz.results.feedforward import Trial, Trials
from nlpviz.results.layers_watched import RangeTest
from nlpviz.ui import plotly_view, widgets
from nlpviz.ui.calls import Call
from nlpviz.ui.feedforward.choice import read, show_learnt, show_reached
from nlpviz.ui.feedforward.verdicts import differences, tell_best, told_apart
from nlpviz.ui.frame import answer, controls, details, takeaway

LOOKS = {"range": "Range test", "schedules": "Schedules", "stopping": "Early stopping"}
_CONSTANT = "constant"


def show(look: str, trials: Trials) -> None:
    """Show what is looked at."""
    {"range": _range, "schedules": _schedules, "stopping": _stopping}[look](trials)


def _range(trials: Trials) -> None:
    tests = range_tests(trials)
    by_optimiser = {name: [test for test in tests if test.optimiser == name] for name in (t.optimiser for t in tests)}
    first = next(iter(by_optimiser.values()))
    takeaway(
        "{title}: the loss is lowest at a learning rate of {low}.", title=first[0].title, low=_from_to(first, "lowest")
    )
    lines = Call(figures.range_test_lines, Call(range_tests, read(trials)), read(trials).get("per_epoch"))
    plotly_view.show(lines, key="range_tests")
    answer(
        "In full training runs, {title} reaches its best validation accuracy with a constant learning rate of "
        "{chosen:g}.",
        title=first[0].title, chosen=trials.of(SCHEDULE, _CONSTANT)[0].rate,
    )  # fmt: skip
    with details():
        st.dataframe(
            {
                "Optimiser": [some[0].title for some in by_optimiser.values()],
                "Rate with the steepest loss decrease": [_from_to(some, "steepest") for some in by_optimiser.values()],
                "Rate with the lowest loss": [_from_to(some, "lowest") for some in by_optimiser.values()],
                "Seeds": [len(some) for some in by_optimiser.values()],
            },
            hide_index=True,
            width="content",
        )


def _from_to(some: Sequence[RangeTest], what: str) -> str:
    values = [float(getattr(test, what)) for test in some]
    return f"{min(values):.2g} to {max(values):.2g}"


def _schedules(trials: Trials) -> None:
    tell_best(trials, SCHEDULE, _CONSTANT)
    show_reached(trials, SCHEDULE, _CONSTANT, key="schedules_reached")
    answer("{said}", said=told_apart(trials, SCHEDULE, _CONSTANT))
    with details():
        st.dataframe(differences(trials, SCHEDULE, _CONSTANT), hide_index=True)
    st.header("Shapes of the schedules", anchor=False)
    rates = Call(schedule_rates, read(trials), SCHEDULE)
    plotly_view.show(Call(figures.schedule_shapes, rates.at(0), rates.at(1)), key="schedule_shapes")
    show_learnt(trials, SCHEDULE, key="schedules_learnt")


def _stopping(trials: Trials) -> None:
    choices = trials.choices(LONGER)
    with controls():
        name = widgets.pick("longer", "Dropout", choices)
        patience = int(widgets.pick("patience", "Patience (epochs)", ("3", "1", "2", "5", "10")))
        seeds = [str(trial.seed) for trial in trials.of(LONGER, name)]
        seed = int(widgets.pick("trial", "Seed", seeds))
    call = Call(Trials.of, read(trials), LONGER, name).at(seed)
    trial, early = call(), Call(Trial.early_stop, call, patience)
    stop = early()
    kept, last = trial.points[stop.best], trial.points[-1]
    takeaway(
        "With a patience of {patience}, training stops after epoch {stopped} and restores the weights of epoch {best}.",
        patience=patience, stopped=stop.stopped, best=stop.best,
    )  # fmt: skip
    plotly_view.show(Call(figures.stopping, call, early), key="early_stopping")
    answer(
        "At epoch {best}, validation loss is {kept:.3f} nats and accuracy {right:.1%}; after epoch {epochs}, "
        "{last:.3f} nats and {end:.1%}.",
        best=stop.best, kept=kept.validation_loss, right=kept.validation_accuracy, epochs=len(trial.points) - 1,
        last=last.validation_loss, end=last.validation_accuracy,
    )  # fmt: skip
    answer("{said}", said=told_apart(trials, LONGER, next(iter(choices))))
    with details():
        st.dataframe(_over_seeds(trials, patience), hide_index=True, width="content")
        st.dataframe(differences(trials, LONGER, next(iter(choices))), hide_index=True)
    show_learnt(trials, LONGER, key="longer_learnt")


def _over_seeds(trials: Trials, patience: int) -> dict[str, list[str]]:
    """Return from which to which epoch early stopping stops and keeps over the seeds, by how much is dropped."""
    table: dict[str, list[str]] = {
        "Dropout": [],
        "Stops after epoch": [],
        "Restored epoch": [],
        "Epochs without early stopping": [],
    }
    for name, title in trials.choices(LONGER).items():
        some = trials.of(LONGER, name)
        stops = [trial.early_stop(patience) for trial in some]
        stopped, best = ([getattr(stop, what) for stop in stops] for what in ("stopped", "best"))
        row = (title, *(f"{min(one)} to {max(one)}" for one in (stopped, best)), str(len(some[0].points) - 1))
        for heading, cell in zip(table, row, strict=True):
            table[heading].append(cell)
    return table


def explained(trials: Trials) -> str:
    """Return how the view is to be read."""
    schedules = "\n".join(
        f"- **{one.title}**: ${one.formula}${f' ({one.source})' if one.source else ''}"
        for one in known_schedules().values()
    )
    adam = optimisers()["adam"].title
    return f"""
**Range test** (Smith 2017, section 3.3). In a single training run, the learning rate grows by the same factor at
each step, from 0.00001 to 10 in 200 steps (Smith raises it linearly). Training starts to work at the rate where the
loss begins to fall; where the loss rises, the rate is too large. The lines are running means of the batch loss; each
line ends where the loss reaches four times its initial value. The loss at a given rate also depends on the earlier
steps, so the test narrows the search but does not find the best rate.

**Schedules.** The formulas give the learning rate after a fraction $p$ of training, with peak rate $\\eta$ ($\\Lambda$
rises from 0 to 1 and falls back in each of three cycles). The network has one hidden layer of 64 ReLUs and is trained
with SGD; each schedule uses its best peak rate from a grid.

{schedules}

**Early stopping.** Training stops once the validation loss has failed to improve for a set number of epochs (the
patience). The weights of the epoch with the lowest validation loss are then restored (Prechelt 1998). The networks are
trained with {adam} for 40 epochs. Accuracy may keep rising while the loss rises, because confident mistakes raise the
loss without adding errors. Test accuracy is measured once per run, at the epoch with the best validation accuracy.

Created on {trials.created} ({trials.device}): `python -m nlpviz train-curves rates --write`.
"""
