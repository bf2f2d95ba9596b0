"""The pages' only way to runs, models, explanations and texts: computed once, shared by all visitors.

What :func:`shared` keeps is bounded and read-only; a run that is trained again, or asked something else, is another
key. What goes wrong is raised, and ``frame.page`` says it. Each subject keeps what it alone needs.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import update_wrapper, wraps
from inspect import signature
from typing import Any, Generic, ParamSpec, TypeVar, cast

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from nlpviz.data import corpus_named
from nlpviz.figures import run_titles
from nlpviz.figures.view import FigureView
from nlpviz.results.explanation import Explanation
from nlpviz.results.feedforward import Trials
from nlpviz.results.projection import Projection
from nlpviz.run_kinds.listing import baseline_of, known_runs
from nlpviz.runs import Run, TrainedModel
from nlpviz.ui import limits
from nlpviz.ui.calls import Call
from nlpviz.ui.code import python

P = ParamSpec("P")
R = TypeVar("R")
Drawn = TypeVar("Drawn", bound=FigureView | None)
_LISTED: ContextVar[tuple[dict[str, Run], list[str]] | None] = ContextVar("listed", default=None)
"""What :func:`known_runs` returned, in the thread in which a page's script runs; None where none does."""


class Shared(Generic[P, R]):
    """A function whose results are kept, by its arguments, for all visitors; see :func:`shared`."""

    def __init__(self, function: Callable[P, R], entries: int, spinner: str | bool) -> None:
        """Keep at most ``entries`` results of ``function``; a call is kept with its result."""

        @wraps(function)
        def made(*args: P.args, **kwargs: P.kwargs) -> R:
            result = function(*args, **kwargs)
            return cast("R", result.giving(result())) if isinstance(result, Call) else result

        self._kept = st.cache_resource(max_entries=entries, show_spinner=spinner, hash_funcs=_KEYS)(made)
        self._signature = signature(function)
        self.clear = self._kept.clear
        update_wrapper(self, function)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Return what the function returns; what is left to a default is the same key as the default itself."""
        bound = self._signature.bind(*args, **kwargs)
        bound.apply_defaults()
        return self._kept(*bound.args, **bound.kwargs)


def shared(entries: int, spinner: str | bool = False) -> Callable[[Callable[P, R]], Shared[P, R]]:
    """Return a decorator that computes a function once for all visitors, who must not change what it returns.

    Each argument is a part of the key, except those whose names begin with an underscore. No function may be shared
    twice: Streamlit finds results by the function's name.

    Args:
        entries: results that are kept; the oldest goes first.
        spinner: what the page says meanwhile; False for nothing.
    """
    return lambda function: Shared(function, entries, spinner)


def _run_key(run: Run) -> str:
    return f"{run.name} {run.fingerprint}"  # a text is hashed at once


def _explanation_key(explained: Explanation) -> tuple[object, ...]:
    return explained.run, explained.epoch, explained.encoded.text, explained.method, explained.target


def _projection_key(projection: Projection) -> tuple[object, ...]:
    kind = (projection.run, projection.projector, projection.dimensions, projection.epoch, projection.alone)
    members = None if projection.members is None else projection.members.tobytes()
    return *kind, projection.perplexity, projection.seed, members


_KEYS: dict[type | str, Callable[[Any], object]] = {
    Run: _run_key,
    "nlpviz.language.logit_difference.AskedRun": _run_key,  # a subclass is not found by Run; its module needs torch
    Explanation: _explanation_key,
    Projection: _projection_key,
    Trials: lambda trials: (trials.name, trials.created),
}
"""What identifies an argument; all others are hashed whole."""


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


@shared(limits.entries(12), "Loading the network…")
def model(run: Run, epoch: int) -> TrainedModel:
    """Return the model of one epoch; frozen, for everyone."""
    return run.load(epoch)


def loaded(run: Run, epoch: int) -> Call[TrainedModel]:
    """Return the call that loads the model of one epoch, with its result."""
    return Call(type(run).load, run, epoch).giving(model(run, epoch))


@shared(128)
def explanation(run: Run, epoch: int, text: str, method: str, target: int | None = None) -> Call[Explanation]:
    """Return how much each token of ``text`` mattered to the model of one epoch."""
    from nlpviz.analysis.attribution import explain

    return Call(explain, loaded(run, epoch), text, method, target)


def explained(explanation: Explanation) -> Call[Explanation]:
    """Return the call that makes an explanation."""
    from nlpviz.analysis.attribution import explain

    model = Call(Run.load, runs()[explanation.run], explanation.epoch)
    text, method = explanation.encoded.text, explanation.method
    return Call(explain, model, text, method, explanation.target).giving(explanation)


@shared(128)
def probabilities(run: Run, epoch: int, text: str) -> NDArray[np.float32]:
    """Return the probability of each class of ``text`` for the model of one epoch, (K,)."""
    from nlpviz.analysis.inspection.prediction import probabilities as predicted

    return predicted(model(run, epoch), text)


def figure(key: tuple[Hashable, ...], draw: Callable[[], Drawn]) -> Drawn:
    """Return the figure of ``key``, drawn when it is first asked for; it is shared and never changed.

    Args:
        key: names the figure and all that it shows: names, numbers and runs.
        draw: returns it, or None where nothing is to be drawn.
    """
    found: Drawn = _figure(key, draw)
    return found


def drawn(call: Call[FigureView]) -> tuple[FigureView, str]:
    """Return the figure that a call draws, drawn when it is first asked for, and the call as code."""
    program = python(call)
    return call() if call.is_made else figure((program.code, *program.runs), call), program.code


@shared(limits.entries(64))
def _figure(key: tuple[Hashable, ...], _draw: Callable[[], Drawn]) -> Drawn:  # noqa: ARG001 - it only names the figure
    return _draw()


def baseline(run: Run) -> Run | None:
    """Return the baseline on the run's corpus, if one was trained."""
    return baseline_of(run, list(runs().values()))


@shared(512)  # a page lists up to 104
def document_text(corpus: str, document: str) -> str:
    """Return the text of a document of ``corpus``, for example ``"test/pos/17"``.

    Raises:
        DataError: if the corpus is not on this machine, damaged, or has no such document.
    """
    return corpus_named(corpus).find(document)
