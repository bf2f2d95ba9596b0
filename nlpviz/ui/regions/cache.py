"""The pages' only way to regions, filters and surveys: computed once, shared by all, bounded, keyed as in ``cache``."""

from __future__ import annotations

from nlpviz.results.forward import ForwardPass
from nlpviz.results.ngram_counts import NgramCounts
from nlpviz.results.ngram_weights import NgramWeights, WeighedNgram
from nlpviz.results.regions import PredictiveRegions
from nlpviz.results.survey import FilterSummary, RankedNgram
from nlpviz.runs import Run, surveys
from nlpviz.runs.counts import COUNTS, read_counts, read_strongest
from nlpviz.runs.ngram_weights import read_weights
from nlpviz.ui import cache
from nlpviz.ui.calls import Call


@cache.shared(128)
def predictive_regions(run: Run, epoch: int, text: str, target: int | None = None) -> Call[PredictiveRegions]:
    """Return the regions of ``text``, as the network of one epoch sees them."""
    from nlpviz.analysis.inspection.regions import predictive_regions

    return Call(predictive_regions, cache.loaded(run, epoch), text, target)


@cache.shared(64)
def forward_pass(run: Run, epoch: int, text: str, target: int) -> ForwardPass:
    """Return the steps of ``text`` through the network of one epoch, for the filters that matter most there."""
    from nlpviz.analysis.inspection import forward

    return forward.forward_pass(cache.model(run, epoch), text, target)


def ngram_counts(corpus: str) -> Call[NgramCounts] | None:
    """Return how often n-grams stood in a corpus's training texts, if a run keeps that."""
    keeping = (run for run in cache.runs().values() if run.corpus["name"] == corpus and COUNTS in run.files)
    return next(map(_ngram_counts, keeping), None)


@cache.shared(4, "Loading n-gram counts of the training texts…")
def _ngram_counts(run: Run) -> Call[NgramCounts]:
    return Call(read_counts, run)


@cache.shared(4, "Loading the weights of the n-grams…")
def ngram_weights(run: Run) -> Call[NgramWeights]:
    """Return the weights of a baseline's n-grams."""
    return Call(read_weights, run)


@cache.shared(4)
def strongest_ngrams(run: Run) -> Call[dict[str, tuple[WeighedNgram, ...]]]:
    """Return the strongest n-grams of a baseline, by class."""
    return Call(read_strongest, run)


@cache.shared(64, "Loading the top n-grams…")
def top_ngrams(run: Run, epoch: int, target: int = -1) -> Call[tuple[RankedNgram, ...]]:
    """Return the n-grams that move a class's score most over all test documents, the most positive first."""
    return Call(surveys.top_ngrams, run, epoch, target)


@cache.shared(64, "Loading the filters…")
def filters(run: Run, epoch: int, target: int = -1) -> Call[tuple[FilterSummary, ...]]:
    """Return what each filter does over all test documents, with its weight for a class, in the embedding's order."""
    return Call(surveys.filters, run, epoch, target)


@cache.shared(128)
def slot_words(run: Run, epoch: int, position: int) -> tuple[tuple[tuple[str, float], ...], ...]:
    """Return the words that the filter at ``position`` answers most in each of its slots, with their answers."""
    from nlpviz.analysis.inspection import filters

    return filters.slot_words(cache.model(run, epoch), position)
