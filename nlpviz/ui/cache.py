"""The pages' only way to runs, models, explanations and texts: computed once, shared by all visitors.

Keys are names and numbers, a run's fingerprint among them, so that a retrained run is read anew. Everything kept
is bounded and read-only. What goes wrong is raised, and ``frame.page`` says it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple

import streamlit as st

from nlpviz.data import corpus_named
from nlpviz.figures.documents import maps as documents
from nlpviz.figures.documents.maps import MapStyle
from nlpviz.figures.view import FigureView
from nlpviz.kinds.listing import baseline_of, known_runs
from nlpviz.projections import NEIGHBOURS, projectors
from nlpviz.projections.quality import shared_neighbours
from nlpviz.projections.texts import TextPoint, embed_text
from nlpviz.results.explanation import DeletionCurve, Explanation
from nlpviz.results.ngram_counts import NgramCounts
from nlpviz.results.projection import Projection
from nlpviz.results.regions import PredictiveRegions
from nlpviz.results.survey import BoardRow, DocumentRegions, FilterDossier
from nlpviz.runs import Checkpoint, Run, RunError, TrainedModel, open_run, surveys
from nlpviz.runs import ngram_counts as counts_of
from nlpviz.runs.documents import documents_of, embeddings_of, projections_of


def runs(kind: str | None = None) -> dict[str, Run]:
    """Return the readable runs of known kinds by name, of one kind or all."""
    return {name: run for name, run in known_runs()[0].items() if kind in (None, run.kind)}


def model(run: Run, epoch: int) -> TrainedModel:
    """Return the model of one epoch; frozen, for everyone."""
    return _model(run.name, run.fingerprint, epoch)


def explanation(run: Run, epoch: int, text: str, method: str, target: int | None = None) -> Explanation:
    """Return how much each token of ``text`` mattered to the model of one epoch."""
    return _explanation(run.name, run.fingerprint, epoch, text, method, target)


def deletion_curve(run: Run, explanation: Explanation) -> DeletionCurve:
    """Return how fast the explained class loses its probability as tokens go, in the explanation's order."""
    text, target = explanation.encoded.text, explanation.target
    return _deletion_curve(run.name, run.fingerprint, explanation.epoch, text, explanation.method, target)


def predictive_regions(run: Run, epoch: int, text: str, target: int | None = None) -> PredictiveRegions:
    """Return the regions of ``text``, as the network of one epoch sees them."""
    return _predictive_regions(run.name, run.fingerprint, epoch, text, target)


def ngram_counts(corpus: str) -> NgramCounts | None:
    """Return how often n-grams stood in a corpus's training texts, if a run keeps that."""
    return _ngram_counts(corpus, tuple(run.fingerprint for run in runs().values() if run.corpus["name"] == corpus))


def board(run: Run, epoch: int) -> tuple[BoardRow, ...]:
    """Return the n-grams that move the score most over all test documents, the most positive first."""
    return _board(run.name, run.fingerprint, epoch)


def filters(run: Run, epoch: int) -> tuple[FilterDossier, ...]:
    """Return what each filter does over all test documents, in the order of the document embedding."""
    return _filters(run.name, run.fingerprint, epoch)


def document_regions(run: Run) -> dict[str, DocumentRegions]:
    """Return the n-grams that moved each document most at the best epoch, by its id; empty where nobody looked."""
    return _document_regions(run.name, run.fingerprint) if surveys.DOCUMENT_REGIONS in run.files else {}


def slot_words(run: Run, epoch: int, place: int) -> tuple[tuple[tuple[str, float], ...], ...]:
    """Return the words that the filter at ``place`` answers most in each of its slots, with their answers."""
    return _slot_words(run.name, run.fingerprint, epoch, place)


def baseline(run: Run) -> Run | None:
    """Return the baseline on the run's corpus, if one was trained."""
    return baseline_of(run, list(runs().values()))


def projections(
    run: Run, projector: str, dimensions: int, epochs: Sequence[int], *, alone: bool = False
) -> tuple[Projection, ...]:
    """Return the stored maps of a run's documents, one for each of ``epochs``: comparable, or each fitted alone."""
    wanted = {
        found.epoch: found
        for found in projections_of(run)
        if (found.projector, found.dimensions, found.alone) == (projector, dimensions, alone)
    }
    if missing := [epoch for epoch in epochs if epoch not in wanted]:
        raise RunError(
            f"The run {run.name!r} has no {dimensions}-D {projector} map of epoch {missing[0]}"
            f"{' that was fitted alone' if alone else ''}: `python -m nlpviz project {run.name}` computes it."
        )
    return tuple(wanted[epoch] for epoch in epochs)


def text_point(run: Run, epoch: int, text: str) -> TextPoint:
    """Return the document embedding of a typed text and the network's answer; the text must have a token."""
    return _text_point(run.name, run.fingerprint, epoch, text)


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


@st.cache_resource(max_entries=12, show_spinner="Loading the network…")
def _model(name: str, fingerprint: str, epoch: int) -> TrainedModel:  # noqa: ARG001 - the cache's key
    import torch

    # Visitors are threads of one process: with threads of torch's own for each, they would wait for each other.
    torch.set_num_threads(1)
    return open_run(name).load(epoch)


@st.cache_resource(max_entries=128, show_spinner=False)
def _explanation(name: str, fingerprint: str, epoch: int, text: str, method: str, target: int | None) -> Explanation:
    from nlpviz.attribution import explain

    return explain(_model(name, fingerprint, epoch), text, method, target)


@st.cache_resource(max_entries=128, show_spinner=False)
def _deletion_curve(name: str, fingerprint: str, epoch: int, text: str, method: str, target: int) -> DeletionCurve:
    from nlpviz.attribution import deletion

    explained = _explanation(name, fingerprint, epoch, text, method, target)
    return deletion.deletion_curve(_model(name, fingerprint, epoch), explained)


@st.cache_resource(max_entries=128, show_spinner=False)
def _predictive_regions(name: str, fingerprint: str, epoch: int, text: str, target: int | None) -> PredictiveRegions:
    from nlpviz.reading import regions

    return regions.predictive_regions(_model(name, fingerprint, epoch), text, target)


@st.cache_resource(max_entries=4, show_spinner="Reading how often n-grams stood in training…")
def _ngram_counts(corpus: str, fingerprints: tuple[str, ...]) -> NgramCounts | None:  # noqa: ARG001 - the cache's key
    return counts_of(corpus)


@st.cache_resource(max_entries=64, show_spinner="Reading the board…")
def _board(name: str, fingerprint: str, epoch: int) -> tuple[BoardRow, ...]:  # noqa: ARG001 - the cache's key
    return surveys.board(open_run(name), epoch)


@st.cache_resource(max_entries=64, show_spinner="Reading what the filters do…")
def _filters(name: str, fingerprint: str, epoch: int) -> tuple[FilterDossier, ...]:  # noqa: ARG001 - the cache's key
    return surveys.filters(open_run(name), epoch)


@st.cache_resource(max_entries=8, show_spinner=False)
def _document_regions(name: str, fingerprint: str) -> dict[str, DocumentRegions]:  # noqa: ARG001 - the cache's key
    return surveys.document_regions(open_run(name))


@st.cache_resource(max_entries=128, show_spinner=False)
def _slot_words(name: str, fingerprint: str, epoch: int, place: int) -> tuple[tuple[tuple[str, float], ...], ...]:
    from nlpviz.reading import filters

    return filters.slot_words(_model(name, fingerprint, epoch), place)


@st.cache_resource(max_entries=128, show_spinner=False)
def _text_point(name: str, fingerprint: str, epoch: int, text: str) -> TextPoint:
    return embed_text(_model(name, fingerprint, epoch), text)


def neighbours_in_common(first: Checkpoint, second: Checkpoint) -> float:
    """Return the share of a document's nearest neighbours that two checkpoints' original spaces have in common."""
    pair = (first, second)
    return _neighbours_in_common(*((run.name, run.fingerprint, epoch) for run, epoch in pair))


@st.cache_data(max_entries=64, show_spinner=False)
def _neighbours_in_common(first: tuple[str, str, int], second: tuple[str, str, int]) -> float:
    (one, epoch), (other, its_epoch) = ((open_run(name), epoch) for name, _, epoch in (first, second))
    places = {identifier: place for place, identifier in enumerate(documents_of(other).ids)}
    common = [(place, places[name]) for place, name in enumerate(documents_of(one).ids) if name in places]
    rows, its_rows = (list(column) for column in zip(*common, strict=True))
    return shared_neighbours(embeddings_of(one, epoch)[rows], embeddings_of(other, its_epoch)[its_rows], NEIGHBOURS)


@st.cache_data(max_entries=64, show_spinner=False)
def document_text(corpus: str, document: str) -> str:
    """Return the text of a document of ``corpus``, for example ``"test/pos/17"``.

    Raises:
        DataError: if the corpus is not on this machine, damaged, or has no such document.
    """
    return corpus_named(corpus).find(document)
