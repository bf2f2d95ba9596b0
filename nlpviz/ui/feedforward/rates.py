"""The learning rate on a page: range tests, schedules, and early stopping with a patience of the visitor's choice."""

from __future__ import annotations

import numpy as np
import streamlit as st

from nlpviz.feedforward import known_schedules
from nlpviz.feedforward.experiments.rates import LONGER, SCHEDULE
from nlpviz.feedforward.stored import range_tests
from nlpviz.figures.feedforward import rates as figures
from nlpviz.figures.feedforward.trials import learnt, reached
from nlpviz.optimisers import optimisers
from nlpviz.results.feedforward import Trials, stop_early
from nlpviz.snippets import feedforward as snippets
from nlpviz.ui import plotly_view, widgets
from nlpviz.ui.feedforward.choice import listed
from nlpviz.ui.feedforward.verdicts import told_apart
from nlpviz.ui.frame import answer

_LOOKS = {"range": "Range test", "schedules": "Schedules", "stopping": "Early stopping"}
_CONSTANT = "constant"


def pick_look() -> str:
    """Return what is looked at."""
    return widgets.pick("rates", "Look at", list(_LOOKS), _LOOKS.__getitem__)


def show(look: str, trials: Trials) -> None:
    """Show what is looked at."""
    {"range": _range, "schedules": _schedules, "stopping": _stopping}[look](trials)


def _range(trials: Trials) -> None:
    tests = range_tests(trials)
    code = snippets.range_tests(trials.name)
    plotly_view.show(figures.range_tests(tests, trials.per_epoch), key="range_tests", code=code)
    said = []
    for name in dict.fromkeys(test.optimiser for test in tests):
        some = [test for test in tests if test.optimiser == name]
        steep, low = ([getattr(test, what) for test in some] for what in ("steepest", "lowest"))
        said.append(
            f"{some[0].title}: the loss falls fastest at a rate of {min(steep):.2g} to {max(steep):.2g} and is lowest "
            f"at {min(low):.2g} to {max(low):.2g}"
        )
    answer("{said}", said=f"Over {len(some)} seeds, with {'; '.join(said)}.")
    chosen = trials.of(SCHEDULE, _CONSTANT)[0].rate
    st.caption(
        f"By validation accuracy after whole trainings, the best constant rate of SGD in the grid is {chosen:g}."
    )


def _schedules(trials: Trials) -> None:
    known, choices = known_schedules(), trials.choices(SCHEDULE)
    shapes = {
        name: (title, known[name].factor, trials.of(SCHEDULE, name)[0].rate)
        for name, title in choices.items()
        if name in known
    }
    epochs = len(trials.of(SCHEDULE, _CONSTANT)[0].points) - 1
    code = snippets.shapes(trials.name, SCHEDULE)
    plotly_view.show(figures.schedule_shapes(shapes, epochs), key="schedule_shapes", code=code)
    answer("{said}", said=told_apart(trials, SCHEDULE, _CONSTANT))
    code = snippets.reached(trials.name, SCHEDULE)
    plotly_view.show(reached(trials, SCHEDULE, _CONSTANT), key="schedules_reached", code=code)
    plotly_view.show(learnt(trials, SCHEDULE), key="schedules_learnt", code=snippets.learnt(trials.name, SCHEDULE))


def _stopping(trials: Trials) -> None:
    choices = trials.choices(LONGER)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = widgets.pick("longer", "Dropout", list(choices), choices.__getitem__)
        patience = int(widgets.pick("patience", "Patience (epochs)", ("3", "1", "2", "5", "10")))
        seeds = [str(trial.seed) for trial in trials.of(LONGER, name)]
        seed = int(widgets.pick("trial", "Seed", seeds))
    trial = trials.of(LONGER, name)[seed]
    stop = stop_early([point.validation_loss for point in trial.points], patience)
    code = snippets.stopping(trials.name, LONGER, name, seed, patience)
    plotly_view.show(figures.stopping(trial, stop), key="early_stopping", code=code)
    kept, last = trial.points[stop.best], trial.points[-1]
    answer(
        "With a patience of {patience} this training stops after epoch **{stopped}** of {epochs} and keeps epoch "
        "**{best}**: validation loss {kept:.3f} nats, {right:.1%} right. After the last epoch it is {last:.3f} nats, "
        "{end:.1%} right.",
        patience=patience, stopped=stop.stopped, epochs=len(trial.points) - 1, best=stop.best,
        kept=kept.validation_loss, right=kept.validation_accuracy, last=last.validation_loss,
        end=last.validation_accuracy,
    )  # fmt: skip
    answer("{said}", said=_over_seeds(trials, patience))
    plotly_view.show(learnt(trials, LONGER), key="longer_learnt", code=snippets.learnt(trials.name, LONGER))
    answer("{said}", said=told_apart(trials, LONGER, next(iter(choices))))


def _over_seeds(trials: Trials, patience: int) -> str:
    """Return where early stopping stops on average, and what share of the epochs it saves."""
    said = []
    for name, title in trials.choices(LONGER).items():
        some = trials.of(LONGER, name)
        stops = [stop_early([point.validation_loss for point in trial.points], patience) for trial in some]
        stopped, best = (np.array([getattr(stop, what) for stop in stops]) for what in ("stopped", "best"))
        said.append(
            f"with {title} it stops after epoch {stopped.min()} to {stopped.max()} and keeps epoch {best.min()} to "
            f"{best.max()}"
        )
    return f"Over {len(some)} seeds, {listed(said)} (epoch {len(some[0].points) - 1} is the last one)."


def explained(trials: Trials) -> str:
    """Return how the view is to be read."""
    schedules = "\n".join(
        f"- **{one.title}**: ${one.formula}${f' ({one.source})' if one.source else ''}"
        for one in known_schedules().values()
    )
    adam = optimisers()["adam"].title
    return f"""
**Range test** (Smith 2017, section 3.3). One training in which the rate grows by the same factor at each step, from
0.00001 to 10 in 200 steps; Smith lets it grow in a straight line. Where the loss begins to fall, a training learns;
where it rises, the rate is too large. The lines are running means of each batch's loss, and end where it is four times
the first. The loss at a rate also depends on the steps before it: the test tells where to look, not which rate is best.

**Schedules.** What becomes of the highest rate $\\eta$ when a share $p$ of the training is over ($\\Lambda$ is 0, 1, 0
over one of three cycles). SGD, one hidden layer of 64 ReLUs, each schedule with its own best highest rate of a grid.

{schedules}

**Early stopping.** Training ends once the validation loss has found no new low for as many epochs as the patience, and
the weights of its lowest epoch are kept (Prechelt 1998). {adam}, 40 epochs. Accuracy may go on rising where the loss
rises: a network that is wrong with more and more confidence loses nats, not ranks. Test accuracies are of each
training's best epoch by validation accuracy.

Made on {trials.created} ({trials.device}): `python -m nlpviz train-curves rates --write`.
"""
