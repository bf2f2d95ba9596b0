"""The pages' only way to maps of documents: computed once, shared by all visitors, bounded, keyed as in ``cache``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, replace

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from nlpviz.analysis.projections import FittedMap, title_of
from nlpviz.analysis.projections.checkpoints import nearest_documents
from nlpviz.analysis.projections.checkpoints import neighbours_in_common as neighbours_in_common_of
from nlpviz.analysis.projections.texts import TextPoint, embed_text, place_text, place_vectors
from nlpviz.analysis.projections.texts import fitted_map as fitted_map_of
from nlpviz.figures.documents import maps as documents
from nlpviz.figures.documents.maps import MapStyle
from nlpviz.figures.view import FigureView
from nlpviz.results.projection import Projection
from nlpviz.results.survey import DocumentRegions
from nlpviz.runs import Checkpoint, Run, RunError, open_run, surveys
from nlpviz.runs.documents import embeddings_of, projections_of, run_documents
from nlpviz.ui import cache, classes, limits


def projections(
    run: Run, projector: str, dimensions: int, epochs: Sequence[int], *, alone: bool = False
) -> tuple[Projection, ...]:
    """Return the stored maps of a run's documents, one for each of ``epochs``: comparable, or each fitted alone."""
    wanted = {
        result.epoch: result
        for result in projections_of(run)
        if (result.projector, result.dimensions, result.alone) == (projector, dimensions, alone)
    }
    if missing := [epoch for epoch in epochs if epoch not in wanted]:
        raise RunError(
            f"The run {run.name!r} has no {dimensions}-D {projector} map of epoch {missing[0]}"
            f"{' with each epoch fitted separately' if alone else ''}. `python -m nlpviz project {run.name}` computes "
            "it."
        )
    return tuple(wanted[epoch] for epoch in epochs)


def document_regions(run: Run) -> dict[str, DocumentRegions]:
    """Return the n-grams that moved each document most at the best epoch, by its id; empty where nobody looked."""
    return _document_regions(run.name, run.fingerprint) if surveys.DOCUMENT_REGIONS in run.files else {}


def text_point(run: Run, epoch: int, text: str) -> TextPoint:
    """Return the document embedding of a typed text and the network's answer; the text must have a token."""
    return _text_point(run.name, run.fingerprint, epoch, text)


def position(run: Run, projection: Projection, text: str) -> NDArray[np.float32]:
    """Return where a typed text goes on one of a run's maps, (dimensions,)."""
    return place_text(run, projection, text_point(run, projection.epoch, text), _fitted(run, projection))


def positions(run: Run, projection: Projection, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return where texts with the embeddings ``vectors`` (M, E) go on one of a run's maps, (M, dimensions)."""
    return place_vectors(projection, vectors, _fitted(run, projection))


def _fitted(run: Run, projection: Projection) -> FittedMap:
    key = (projection.projector, projection.dimensions, projection.epoch, projection.alone, projection.perplexity)
    sample = None if projection.members is None else projection.members.tobytes()
    return _fitted_map((run.name, run.fingerprint, *key, projection.seed, sample), run, projection)


def document_map(run: Run, projector: str, dimensions: int, epochs: Sequence[int], style: MapStyle) -> FigureView:
    """Return the figure of the stored maps of ``epochs``, side by side; it is shared and never changed."""
    maps = projections(run, projector, dimensions, epochs)
    key = (run.name, run.fingerprint, projector, dimensions, *epochs, *astuple(style))
    return _document_map(key, run, maps, style)


def neighbours_in_common(first: Checkpoint, second: Checkpoint) -> float:
    """Return the share of a document's nearest neighbours that two checkpoints' original spaces have in common."""
    pair = (first, second)
    return _neighbours_in_common(*((run.name, run.fingerprint, epoch) for run, epoch in pair))


@st.cache_resource(max_entries=limits.entries(32), show_spinner=False)
def _document_map(
    key: tuple[object, ...],  # noqa: ARG001 - of the cache: names and numbers only
    _run: Run,
    _maps: Sequence[Projection],
    _style: MapStyle,
) -> FigureView:
    first = _maps[0]
    kind = (first.projector, first.dimensions, first.alone)
    framed = [
        one
        for one in (projections_of(_run) if _style.every_epoch or _style.play else ())
        if (one.projector, one.dimensions, one.alone) == kind
    ]
    known = replace(run_documents(_run), document=classes.document(_run))
    return documents.document_map([known], _maps, title_of(first.projector), _style, framed)


@st.cache_resource(max_entries=8, show_spinner=False)
def _document_regions(name: str, fingerprint: str) -> dict[str, DocumentRegions]:  # noqa: ARG001 - the cache's key
    return surveys.document_regions(open_run(name))


@st.cache_resource(max_entries=128, show_spinner=False)
def _text_point(name: str, fingerprint: str, epoch: int, text: str) -> TextPoint:  # noqa: ARG001 - the cache's key
    return embed_text(cache.model(open_run(name), epoch), text)


# Both hold an array of 2 MB for each epoch: the same one.
@st.cache_resource(max_entries=24, show_spinner=False)
def _fitted_map(
    key: tuple[object, ...],  # noqa: ARG001 - of the cache
    _run: Run,
    _projection: Projection,
) -> FittedMap:
    return fitted_map_of(_run, _projection, lambda run, epoch: _embeddings(run.name, run.fingerprint, epoch))


@st.cache_resource(max_entries=24, show_spinner=False)
def _embeddings(name: str, fingerprint: str, epoch: int) -> NDArray[np.float32]:  # noqa: ARG001 - the cache's key
    result = embeddings_of(open_run(name), epoch)
    result.setflags(write=False)  # one for all visitors
    return result


@st.cache_data(max_entries=64, show_spinner=False)
def _neighbours_in_common(first: tuple[str, str, int], second: tuple[str, str, int]) -> float:
    one, other = (Checkpoint(open_run(name), epoch) for name, _, epoch in (first, second))
    return neighbours_in_common_of(one, other, lambda it: _nearest(it.run.name, it.run.fingerprint, it.epoch))


@st.cache_resource(max_entries=64, show_spinner=False)  # a quarter of a megabyte each
def _nearest(name: str, fingerprint: str, epoch: int) -> NDArray[np.intp]:  # noqa: ARG001 - the cache's key
    result = nearest_documents(Checkpoint(open_run(name), epoch))
    result.setflags(write=False)  # one for all visitors
    return result
