"""The pages' only way to regions, filters and surveys: computed once, shared by all, bounded, keyed as in ``cache``."""

from __future__ import annotations

import streamlit as st

from nlpviz.results.forward import ForwardPass
from nlpviz.results.ngram_counts import NgramCounts
from nlpviz.results.ngram_weights import NgramWeights, WeighedNgram
from nlpviz.results.regions import PredictiveRegions
from nlpviz.results.survey import FilterSummary, RankedNgram
from nlpviz.runs import Run, open_run, surveys
from nlpviz.runs import ngram_counts as counts_of
from nlpviz.runs.counts import read_strongest
from nlpviz.runs.ngram_weights import read_weights
from nlpviz.ui import cache


def predictive_regions(run: Run, epoch: int, text: str, target: int | None = None) -> PredictiveRegions:
    """Return the regions of ``text``, as the network of one epoch sees them."""
    return _predictive_regions(run.name, run.fingerprint, epoch, text, target)


def forward_pass(run: Run, epoch: int, text: str, target: int) -> ForwardPass:
    """Return the steps of ``text`` through the network of one epoch, for the filters that matter most there."""
    return _forward_pass(run.name, run.fingerprint, epoch, text, target)


def ngram_counts(corpus: str) -> NgramCounts | None:
    """Return how often n-grams stood in a corpus's training texts, if a run keeps that."""
    return _ngram_counts(
        corpus, tuple(run.fingerprint for run in cache.runs().values() if run.corpus["name"] == corpus)
    )


def ngram_weights(run: Run) -> NgramWeights:
    """Return the weights of a baseline's n-grams."""
    return _ngram_weights(run.name, run.fingerprint)


def strongest_ngrams(run: Run) -> dict[str, tuple[WeighedNgram, ...]]:
    """Return the strongest n-grams of a baseline, by class."""
    return _strongest_ngrams(run.name, run.fingerprint)


def top_ngrams(run: Run, epoch: int, target: int = -1) -> tuple[RankedNgram, ...]:
    """Return the n-grams that move a class's score most over all test documents, the most positive first."""
    return _top_ngrams(run.name, run.fingerprint, epoch, target)


def filters(run: Run, epoch: int, target: int = -1) -> tuple[FilterSummary, ...]:
    """Return what each filter does over all test documents, with its weight for a class, in the embedding's order."""
    return _filters(run.name, run.fingerprint, epoch, target)


def slot_words(run: Run, epoch: int, position: int) -> tuple[tuple[tuple[str, float], ...], ...]:
    """Return the words that the filter at ``position`` answers most in each of its slots, with their answers."""
    return _slot_words(run.name, run.fingerprint, epoch, position)


@st.cache_resource(max_entries=128, show_spinner=False)
def _predictive_regions(
    name: str,
    fingerprint: str,  # noqa: ARG001 - the cache's key
    epoch: int,
    text: str,
    target: int | None,
) -> PredictiveRegions:
    from nlpviz.analysis.inspection import regions

    return regions.predictive_regions(cache.model(open_run(name), epoch), text, target)


@st.cache_resource(max_entries=64, show_spinner=False)
def _forward_pass(
    name: str,
    fingerprint: str,  # noqa: ARG001 - the cache's key
    epoch: int,
    text: str,
    target: int,
) -> ForwardPass:
    from nlpviz.analysis.inspection import forward

    return forward.forward_pass(cache.model(open_run(name), epoch), text, target)


@st.cache_resource(max_entries=4, show_spinner="Loading n-gram counts of the training texts…")
def _ngram_counts(corpus: str, fingerprints: tuple[str, ...]) -> NgramCounts | None:  # noqa: ARG001 - the cache's key
    return counts_of(corpus)


@st.cache_resource(max_entries=4, show_spinner="Loading the weights of the n-grams…")
def _ngram_weights(name: str, fingerprint: str) -> NgramWeights:  # noqa: ARG001 - the cache's key
    return read_weights(open_run(name))


@st.cache_resource(max_entries=4, show_spinner=False)
def _strongest_ngrams(name: str, fingerprint: str) -> dict[str, tuple[WeighedNgram, ...]]:  # noqa: ARG001 - cache's key
    return read_strongest(open_run(name))


@st.cache_resource(max_entries=64, show_spinner="Loading the top n-grams…")
def _top_ngrams(
    name: str,
    fingerprint: str,  # noqa: ARG001 - the cache's key
    epoch: int,
    target: int,
) -> tuple[RankedNgram, ...]:
    return surveys.top_ngrams(open_run(name), epoch, target)


@st.cache_resource(max_entries=64, show_spinner="Loading the filters…")
def _filters(
    name: str,
    fingerprint: str,  # noqa: ARG001 - the cache's key
    epoch: int,
    target: int,
) -> tuple[FilterSummary, ...]:
    return surveys.filters(open_run(name), epoch, target)


@st.cache_resource(max_entries=128, show_spinner=False)
def _slot_words(
    name: str,
    fingerprint: str,  # noqa: ARG001 - the cache's key
    epoch: int,
    position: int,
) -> tuple[tuple[tuple[str, float], ...], ...]:
    from nlpviz.analysis.inspection import filters

    return filters.slot_words(cache.model(open_run(name), epoch), position)
