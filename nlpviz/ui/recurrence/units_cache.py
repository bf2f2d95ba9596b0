"""The pages' only way to searches of units: read or computed once, shared by all, bounded, keyed as in ``cache``."""

from __future__ import annotations

from nlpviz.analysis.inspection.units_sample import Sample
from nlpviz.results.units import UnitSearch, UnitSurvey
from nlpviz.runs import Run
from nlpviz.runs.units import unit_survey, word_weights
from nlpviz.ui import cache, progress
from nlpviz.ui.calls import Call


@cache.shared(64)
def survey(run: Run, epoch: int) -> Call[UnitSurvey]:
    """Return what is kept of a run's units at ``epoch``.

    Raises:
        RunError: if nobody searched them, or the run is damaged.
    """
    return Call(unit_survey, run, epoch)


@cache.shared(8)
def weights(run: Run) -> Call[dict[str, float]]:
    """Return the weights of words that were counted for a run; empty where it was not surveyed."""
    return Call(word_weights, run)


def search_words(run: Run, epoch: int, words: tuple[str, ...]) -> Call[dict[str, UnitSearch]]:
    """Return how a network's units follow a word list and its trace; meanwhile the page says how far that is.

    Raises:
        DataError: if the corpus is not on this machine.
    """
    from nlpviz.analysis.inspection import units_live

    trained, sample = cache.loaded(run, epoch), _sample(run)
    found = progress.computed(
        ("units", run.name, run.fingerprint, epoch, words),
        f"Reading test reviews at epoch {epoch} of {run.title}",
        lambda report: units_live.search_words(trained(), sample(), words, report),
    )
    return Call(units_live.search_words, trained, sample, words).giving(found)


@cache.shared(4, "Loading the test reviews…")  # the texts of 200: 3 MB each
def _sample(run: Run) -> Call[Sample]:
    from nlpviz.analysis.inspection.units_live import live_sample

    return Call(live_sample, cache.loaded(run, run.best_epoch))
