"""The first words of reviews on a map, for hover texts: read once, in the background, if the corpus is available."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor

import streamlit as st

from nlpviz.data import DataError
from nlpviz.run_kinds.drawn.beginnings import beginnings_of
from nlpviz.runs import Run
from nlpviz.training import TrainingError
from nlpviz.ui.cache import shared

_PATIENCE_S = 0.15
"""The parsed corpus is open in less. Where it has to be parsed first, this map does without; the next one has it."""


def begin(run: Run) -> None:
    """Begin to read how the documents of a run begin, which the map needs that is drawn after other work."""
    _reading(run)


def beginnings(run: Run) -> tuple[str, ...]:
    """Return how each document of a run begins; none where texts are not available yet."""
    reading = _reading(run)
    try:
        return reading.result(timeout=_PATIENCE_S)
    except TimeoutError:
        return ()
    except (DataError, TrainingError):  # no such corpus here; it may be downloaded later
        _reading.clear(run)
        return ()


@shared(12)
def _reading(run: Run) -> Future[tuple[str, ...]]:
    return _reader().submit(beginnings_of, run)


@st.cache_resource(show_spinner=False)
def _reader() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(1, "nlpviz-texts")
