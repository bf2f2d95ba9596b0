"""The pages' only way to paths, slow points and modifiers: computed or read once, bounded, keyed as in ``cache``."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nlpviz.results.dynamics import Dynamics
from nlpviz.results.state_space import StatePath, StateSpace
from nlpviz.runs import Run
from nlpviz.runs.dynamics import dynamics_of, keeps_dynamics
from nlpviz.ui import cache


@cache.shared(32)  # of 400 words and 116 units: 0.6 MB each
def path(run: Run, epoch: int, text: str, target: int) -> StatePath:
    """Return the path of ``text`` through the state space of one epoch, with the scores of a class."""
    from nlpviz.analysis.inspection.state_path import state_path

    return state_path(cache.model(run, epoch), text, target)


def space(run: Run, epoch: int, text: str, target: int) -> StateSpace:
    """Return the axes that test reviews have, or those of the text's own path where these were not read."""
    if keeps_dynamics(run, target):
        return dynamics(run, epoch, target).space
    return _own_space(run, epoch, text, target)


@cache.shared(32)
def _own_space(run: Run, epoch: int, text: str, target: int) -> StateSpace:
    from nlpviz.analysis.inspection.state_path import space_of_text

    return space_of_text(path(run, epoch, text, target))


@cache.shared(32)  # 50 KB each
def dynamics(run: Run, epoch: int, target: int) -> Dynamics:
    """Return what is kept of how the states of one epoch move, with the scores of a class.

    Raises:
        RunError: if nobody measured it, or the run is damaged.
    """
    return dynamics_of(run, epoch, target)


@cache.shared(128)
def after_modifier(run: Run, epoch: int, modifier: str, target: int) -> NDArray[np.float32]:
    """Return the mean pushes of the kept words after ``modifier``, (V,); the run must keep modifiers."""
    kept = dynamics(run, epoch, target)
    if kept.contexts is None or kept.modifiers is None:
        raise ValueError(f"the run {run.name!r} has no stored modifiers")
    measured = kept.modifiers.after(modifier)
    if measured is not None:
        return measured
    from nlpviz.analysis.inspection.modifiers import pushes

    result = pushes(cache.model(run, epoch), kept.contexts, target, kept.modifiers.words, modifier)
    result.setflags(write=False)
    return result


@cache.shared(128)
def own_push(run: Run, epoch: int, word: str, target: int) -> float:
    """Return the mean push of ``word`` itself over the kept contexts; the run must keep some."""
    from nlpviz.analysis.inspection.modifiers import pushes

    kept = dynamics(run, epoch, target)
    if kept.contexts is None:
        raise ValueError(f"the run {run.name!r} has no stored contexts")
    return float(pushes(cache.model(run, epoch), kept.contexts, target, [word])[0])
