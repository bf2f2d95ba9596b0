"""The pages' only way to paths, slow points and modifiers: computed or read once, bounded, keyed as in ``cache``."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nlpviz.results.dynamics import Dynamics
from nlpviz.results.state_space import StatePath, StateSpace
from nlpviz.runs import Run
from nlpviz.runs.dynamics import dynamics_of, keeps_dynamics
from nlpviz.ui import cache
from nlpviz.ui.calls import Call, Result


@cache.shared(32)  # of 400 words and 116 units: 0.6 MB each
def path(run: Run, epoch: int, text: str, target: int) -> Call[StatePath]:
    """Return the path of ``text`` through the state space of one epoch, with the scores of a class."""
    from nlpviz.analysis.inspection.state_path import state_path

    return Call(state_path, cache.loaded(run, epoch), text, target)


def space(run: Run, epoch: int, text: str, target: int) -> Result[StateSpace]:
    """Return the axes that test reviews have, or those of the text's own path where these were not read."""
    if keeps_dynamics(run, target):
        return dynamics(run, epoch, target).get("space")
    return _own_space(run, epoch, text, target)


@cache.shared(32)
def _own_space(run: Run, epoch: int, text: str, target: int) -> Call[StateSpace]:
    from nlpviz.analysis.inspection.state_path import space_of_text

    return Call(space_of_text, path(run, epoch, text, target))


@cache.shared(32)  # 50 KB each
def dynamics(run: Run, epoch: int, target: int) -> Call[Dynamics]:
    """Return what is kept of how the states of one epoch move, with the scores of a class.

    Raises:
        RunError: if nobody measured it, or the run is damaged.
    """
    return Call(dynamics_of, run, epoch, target)


def after_modifier(run: Run, epoch: int, modifier: str, target: int) -> Result[NDArray[np.float32]]:
    """Return the mean pushes of the kept words after ``modifier``, (V,); the run must keep modifiers."""
    effects = dynamics(run, epoch, target).get("modifiers")
    known = effects().modifiers
    if modifier in known:
        return effects.get("modified").at(known.index(modifier))
    return _pushes_after(run, epoch, modifier, target)


@cache.shared(128)
def _pushes_after(run: Run, epoch: int, modifier: str, target: int) -> Call[NDArray[np.float32]]:
    from nlpviz.analysis.inspection.modifiers import pushes

    kept = dynamics(run, epoch, target)
    words = kept.get("modifiers").get("words")
    return Call(pushes, cache.loaded(run, epoch), kept.get("contexts"), target, words, modifier)


@cache.shared(128)
def own_push(run: Run, epoch: int, word: str, target: int) -> float:
    """Return the mean push of ``word`` itself over the kept contexts; the run must keep some."""
    from nlpviz.analysis.inspection.modifiers import pushes

    kept = dynamics(run, epoch, target)()
    if kept.contexts is None:
        raise ValueError(f"the run {run.name!r} has no stored contexts")
    return float(pushes(cache.model(run, epoch), kept.contexts, target, [word])[0])
