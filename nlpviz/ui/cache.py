"""The pages' only way to runs, models, explanations and texts: computed once, shared by all visitors.

Keys are names and numbers, a run's fingerprint among them, so that a retrained run is read anew, and one that is asked
something else answers that. Everything kept is bounded and read-only. What goes wrong is raised, and ``frame.page``
says it. Each subject keeps what it alone needs.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from nlpviz.data import corpus_named
from nlpviz.figures import run_titles
from nlpviz.figures.view import FigureView
from nlpviz.results.explanation import Explanation
from nlpviz.run_kinds.listing import baseline_of, known_runs
from nlpviz.runs import Run, TrainedModel, open_run
from nlpviz.ui import limits
from nlpviz.ui.calls import Call
from nlpviz.ui.code import python

Drawn = TypeVar("Drawn", bound=FigureView | None)
_LISTED: ContextVar[tuple[dict[str, Run], list[str]] | None] = ContextVar("listed", default=None)
"""What :func:`known_runs` returned, in the thread in which a page's script runs; None where none does."""


def runs(kind: str | None = None) -> dict[str, Run]:
    """Return the readable runs of known kinds by name, of one kind or all."""
    found = (_LISTED.get() or known_runs())[0]
    return dict(found) if kind is None else {name: run for name, run in found.items() if run.kind == kind}


def problems() -> list[str]:
    """Return one sentence for each folder that is no readable run of a known kind."""
    return (_LISTED.get() or known_runs())[1]


@contextmanager
def listed_once() -> Iterator[None]:
    """List the runs once for all that a page's script asks of them: it sees those that were there when it began.

    Its figures call them by their titles.
    """
    token = _LISTED.set(known_runs())
    try:
        with run_titles.known({name: run.title for name, run in runs().items()}):
            yield
    finally:
        _LISTED.reset(token)


def model(run: Run, epoch: int) -> TrainedModel:
    """Return the model of one epoch; frozen, for everyone."""
    return _model(run, run.name, run.fingerprint, epoch)


def explanation(run: Run, epoch: int, text: str, method: str, target: int | None = None) -> Explanation:
    """Return how much each token of ``text`` mattered to the model of one epoch."""
    return _explanation(run.name, run.fingerprint, epoch, text, method, target)


def probabilities(run: Run, epoch: int, text: str) -> NDArray[np.float32]:
    """Return the probability of each class of ``text`` for the model of one epoch, (K,)."""
    result: NDArray[np.float32] = _probabilities(run, run.name, run.fingerprint, epoch, text)
    return result


def figure(key: tuple[Hashable, ...], draw: Callable[[], Drawn]) -> Drawn:
    """Return the figure of ``key``, drawn when it is first asked for; it is shared and never changed.

    Args:
        key: names the figure and all that it shows: names and numbers, :func:`prints` of its runs among them.
        draw: returns it, or None where nothing is to be drawn.
    """
    found: Drawn = _figure(key, draw)
    return found


def drawn(call: Call[Drawn]) -> Drawn:
    """Return the figure that a call draws, drawn when it is first asked for; it is shared and never changed."""
    written = python(call)
    return figure((written.code, *prints(written.runs)), call)


def prints(runs: Iterable[Run]) -> tuple[tuple[str, str], ...]:
    """Return what tells runs from others, and from themselves before they were trained again."""
    return tuple((run.name, run.fingerprint) for run in runs)


def baseline(run: Run) -> Run | None:
    """Return the baseline on the run's corpus, if one was trained."""
    return baseline_of(run, list(runs().values()))


@st.cache_resource(max_entries=limits.entries(12), show_spinner="Loading the network…")
def _model(_run: Run, name: str, fingerprint: str, epoch: int) -> TrainedModel:  # noqa: ARG001 - the cache's key
    return _run.load(epoch)


@st.cache_resource(max_entries=limits.entries(64), show_spinner=False)
def _figure(key: tuple[Hashable, ...], _draw: Callable[[], Drawn]) -> Drawn:  # noqa: ARG001 - the cache's key
    return _draw()


@st.cache_resource(max_entries=128, show_spinner=False)
def _explanation(
    name: str,
    fingerprint: str,  # noqa: ARG001 - the cache's key
    epoch: int,
    text: str,
    method: str,
    target: int | None,
) -> Explanation:
    from nlpviz.analysis.attribution import explain

    return explain(model(open_run(name), epoch), text, method, target)


@st.cache_resource(max_entries=128, show_spinner=False)
def _probabilities(
    _run: Run,
    name: str,  # noqa: ARG001 - the cache's key
    fingerprint: str,  # noqa: ARG001
    epoch: int,
    text: str,
) -> NDArray[np.float32]:
    from nlpviz.analysis.inspection.prediction import probabilities as predicted

    return predicted(model(_run, epoch), text)


@st.cache_data(max_entries=512, show_spinner=False)  # a page lists up to 104
def document_text(corpus: str, document: str) -> str:
    """Return the text of a document of ``corpus``, for example ``"test/pos/17"``.

    Raises:
        DataError: if the corpus is not on this machine, damaged, or has no such document.
    """
    return corpus_named(corpus).find(document)
