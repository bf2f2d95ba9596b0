"""The pages' only way to runs, models, explanations and texts: computed once, shared by all visitors.

Keys are names and numbers, a run's fingerprint among them, so that a retrained run is read anew. Everything kept
is bounded and read-only. What goes wrong is raised, and ``frame.page`` says it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple

import streamlit as st

from nlpviz.data import corpus_named
from nlpviz.explanation import Explanation
from nlpviz.figures import documents
from nlpviz.figures.documents import MapStyle
from nlpviz.figures.view import FigureView
from nlpviz.projection import Projection
from nlpviz.projections import projectors
from nlpviz.runs import Run, RunError, TrainedModel, list_runs, open_run


def runs(kind: str | None = None) -> dict[str, Run]:
    """Return the readable runs by name, of one kind or all."""
    found, _ = list_runs()
    shared = {name: _run(name, run.fingerprint) for name, run in found.items()}
    return {name: run for name, run in shared.items() if kind in (None, run.kind)}


def explanation(run: Run, epoch: int, text: str, method: str, target: int | None = None) -> Explanation:
    """Return how much each token of ``text`` mattered to the model of one epoch."""
    return _explanation(run.name, run.fingerprint, epoch, text, method, target)


def yardstick(run: Run) -> Run | None:
    """Return the baseline on the run's corpus, if one was trained."""
    baselines = [other for other in runs("yardstick").values() if other.corpus["name"] == run.corpus["name"]]
    return baselines[0] if baselines else None


def projections(run: Run, projector: str, dimensions: int, epochs: Sequence[int]) -> tuple[Projection, ...]:
    """Return the stored maps of a run's documents, one for each of ``epochs``."""
    wanted = {
        found.epoch: found
        for found in run.projections
        if found.projector == projector and found.dimensions == dimensions
    }
    if missing := [epoch for epoch in epochs if epoch not in wanted]:
        raise RunError(
            f"The run {run.name!r} has no {dimensions}-D {projector} map of epoch {missing[0]}: "
            f"`python -m nlpviz project {run.name}` computes it."
        )
    return tuple(wanted[epoch] for epoch in epochs)


def document_map(run: Run, projector: str, dimensions: int, epochs: Sequence[int], style: MapStyle) -> FigureView:
    """Return the figure of the stored maps of ``epochs``, side by side; it is shared and never changed."""
    maps = projections(run, projector, dimensions, epochs)
    key = (run.name, run.fingerprint, projector, dimensions, *epochs, *astuple(style))
    return _document_map(key, run, maps, style)


@st.cache_resource(max_entries=32, show_spinner=False)
def _document_map(
    key: tuple[object, ...],  # noqa: ARG001 - of the cache: names and numbers only
    _run: Run,
    _maps: Sequence[Projection],
    _style: MapStyle,
) -> FigureView:
    return documents.document_map(_run, _maps, projectors()[_maps[0].projector].title, _style)


@st.cache_resource(max_entries=16, show_spinner=False)
def _run(name: str, fingerprint: str) -> Run:  # noqa: ARG001 - the cache's key
    return open_run(name)


@st.cache_resource(max_entries=8, show_spinner="Loading the network…")
def _model(name: str, fingerprint: str, epoch: int) -> TrainedModel:
    return _run(name, fingerprint).load(epoch)


@st.cache_resource(max_entries=128, show_spinner=False)
def _explanation(name: str, fingerprint: str, epoch: int, text: str, method: str, target: int | None) -> Explanation:
    from nlpviz.attribution import explain

    return explain(_model(name, fingerprint, epoch), text, method, target)


@st.cache_data(max_entries=64, show_spinner=False)
def document_text(corpus: str, document: str) -> str:
    """Return the text of a document of ``corpus``, for example ``"test/pos/17"``.

    Raises:
        DataError: if the corpus is not on this machine, damaged, or has no such document.
    """
    return corpus_named(corpus).find(document)
