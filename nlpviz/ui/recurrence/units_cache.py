"""The pages' only way to searches of units: read or computed once, shared by all, bounded, keyed as in ``cache``."""

from __future__ import annotations

import streamlit as st

from nlpviz.analysis.inspection.units_sample import Sample
from nlpviz.results.units import UnitSearch, UnitSurvey
from nlpviz.runs import Run, open_run
from nlpviz.runs.units import unit_survey, word_weights
from nlpviz.ui import cache, progress


def survey(run: Run, epoch: int) -> UnitSurvey:
    """Return what is kept of a run's units at ``epoch``.

    Raises:
        RunError: if nobody searched them, or the run is damaged.
    """
    return _survey(run.name, run.fingerprint, epoch)


def weights(run: Run) -> dict[str, float]:
    """Return the weights of words that were counted for a run; empty where it was not surveyed."""
    return _weights(run.name, run.fingerprint)


def search_words(run: Run, epoch: int, words: tuple[str, ...]) -> dict[str, UnitSearch]:
    """Return how a network's units follow a word list and its trace; meanwhile the page says how far that is.

    Raises:
        DataError: if the corpus is not on this machine.
    """
    from nlpviz.analysis.inspection import units_live

    trained, sample = cache.model(run, epoch), _sample(run.name, run.fingerprint)
    return progress.computed(
        ("units", run.name, run.fingerprint, epoch, words),
        f"Reading test reviews at epoch {epoch} of {run.title}",
        lambda report: units_live.search_words(trained, sample, words, report),
    )


@st.cache_resource(max_entries=64, show_spinner=False)
def _survey(name: str, fingerprint: str, epoch: int) -> UnitSurvey:  # noqa: ARG001 - the cache's key
    return unit_survey(open_run(name), epoch)


@st.cache_resource(max_entries=8, show_spinner=False)
def _weights(name: str, fingerprint: str) -> dict[str, float]:  # noqa: ARG001 - the cache's key
    return word_weights(open_run(name))


@st.cache_resource(max_entries=4, show_spinner="Loading the test reviews…")  # the texts of 200: 3 MB each
def _sample(name: str, fingerprint: str) -> Sample:  # noqa: ARG001 - the cache's key
    from nlpviz.analysis.inspection.units_live import live_sample

    run = open_run(name)
    return live_sample(cache.model(run, run.best_epoch))
