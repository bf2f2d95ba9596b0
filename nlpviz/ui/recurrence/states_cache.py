"""The pages' only way to paths, slow points and modifiers: computed or read once, bounded, keyed as in ``cache``."""

from __future__ import annotations

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from nlpviz.results.dynamics import Dynamics
from nlpviz.results.state_space import StatePath, StateSpace
from nlpviz.runs import Run, open_run
from nlpviz.runs.dynamics import dynamics_of, keeps_dynamics
from nlpviz.ui import cache


def path(run: Run, epoch: int, text: str, target: int) -> StatePath:
    """Return the path of ``text`` through the state space of one epoch, with the scores of a class."""
    return _path(run, run.name, run.fingerprint, epoch, (text, target))


def space(run: Run, epoch: int, text: str, target: int) -> StateSpace:
    """Return the axes that test reviews have, or those of the text's own path where these were not read."""
    if keeps_dynamics(run, target):
        return dynamics(run, epoch, target).space
    return _own_space(run, run.name, run.fingerprint, epoch, (text, target))


def dynamics(run: Run, epoch: int, target: int) -> Dynamics:
    """Return what is kept of how the states of one epoch move, with the scores of a class.

    Raises:
        RunError: if nobody measured it, or the run is damaged.
    """
    return _dynamics(run.name, run.fingerprint, epoch, target)


def after_modifier(run: Run, epoch: int, modifier: str, target: int) -> NDArray[np.float32]:
    """Return the mean pushes of the kept words after ``modifier``, (V,); the run must keep modifiers."""
    result: NDArray[np.float32] = _after_modifier(run.name, run.fingerprint, epoch, (modifier, target))
    return result


def own_push(run: Run, epoch: int, word: str, target: int) -> float:
    """Return the mean push of ``word`` itself over the kept contexts; the run must keep some."""
    return _own_push(run.name, run.fingerprint, epoch, (word, target))


@st.cache_resource(max_entries=32, show_spinner=False)  # of 400 words and 116 units: 0.6 MB each
def _path(
    _run: Run,
    name: str,  # noqa: ARG001 - the cache's key
    fingerprint: str,  # noqa: ARG001
    epoch: int,
    of: tuple[str, int],
) -> StatePath:
    from nlpviz.analysis.inspection.state_path import state_path

    return state_path(cache.model(_run, epoch), *of)


@st.cache_resource(max_entries=32, show_spinner=False)
def _own_space(
    _run: Run,
    name: str,  # noqa: ARG001 - the cache's key
    fingerprint: str,  # noqa: ARG001
    epoch: int,
    of: tuple[str, int],
) -> StateSpace:
    from nlpviz.analysis.inspection.state_path import space_of_text

    return space_of_text(path(_run, epoch, *of))


@st.cache_resource(max_entries=32, show_spinner=False)  # 50 KB each
def _dynamics(name: str, fingerprint: str, epoch: int, target: int) -> Dynamics:  # noqa: ARG001 - the cache's key
    return dynamics_of(open_run(name), epoch, target)


@st.cache_resource(max_entries=128, show_spinner=False)
def _after_modifier(name: str, fingerprint: str, epoch: int, of: tuple[str, int]) -> NDArray[np.float32]:
    modifier, target = of
    kept = _dynamics(name, fingerprint, epoch, target)
    if kept.contexts is None or kept.modifiers is None:
        raise ValueError(f"the run {name!r} has no stored modifiers")
    measured = kept.modifiers.after(modifier)
    if measured is not None:
        return measured
    from nlpviz.analysis.inspection.modifiers import pushes

    result = pushes(cache.model(open_run(name), epoch), kept.contexts, target, kept.modifiers.words, modifier)
    result.setflags(write=False)
    return result


@st.cache_resource(max_entries=128, show_spinner=False)
def _own_push(name: str, fingerprint: str, epoch: int, of: tuple[str, int]) -> float:
    from nlpviz.analysis.inspection.modifiers import pushes

    word, target = of
    kept = _dynamics(name, fingerprint, epoch, target)
    if kept.contexts is None:
        raise ValueError(f"the run {name!r} has no stored contexts")
    return float(pushes(cache.model(open_run(name), epoch), kept.contexts, target, [word])[0])
