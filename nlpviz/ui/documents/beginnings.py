"""The first words of reviews on a map, for hover texts: read once, in the background, if the corpus is available."""

from __future__ import annotations

import re
from concurrent.futures import Future, ThreadPoolExecutor

import streamlit as st

from nlpviz.data import DataError
from nlpviz.figures.tokens import showable
from nlpviz.runs import Run
from nlpviz.runs.documents import documents_of
from nlpviz.training import TrainingError
from nlpviz.ui.cache import shared

LONGEST = 60  # characters
_PATIENCE_S = 0.15
"""The parsed corpus is open in less. Where it has to be parsed first, this map does without; the next one has it."""
_BREAK = re.compile(r"(?:<[^<>]{0,20}>|\s)+")


def begin(run: Run) -> None:
    """Begin to read how the documents of a run begin, which the map needs that is drawn after other work."""
    _reading(run)


def beginnings(run: Run) -> tuple[str, ...]:
    """Return the first :data:`LONGEST` characters of each document of a run; none where texts are not available yet."""
    reading = _reading(run)
    try:
        return reading.result(timeout=_PATIENCE_S)
    except TimeoutError:
        return ()
    except (DataError, TrainingError):  # no such corpus here; it may be downloaded later
        _reading.clear(run)
        return ()


def beginning(text: str) -> str:
    """Return how ``text`` begins: in one line, without markup, cut between two words where it can be."""
    line = _BREAK.sub(" ", showable(text[: 4 * LONGEST])).strip()
    if len(line) < LONGEST and len(text) <= 4 * LONGEST:
        return line
    cut = line[: LONGEST - 1]
    return f"{cut[: cut.rfind(' ')].rstrip() if ' ' in cut[LONGEST // 2 :] else cut}…"


@shared(12)
def _reading(run: Run) -> Future[tuple[str, ...]]:
    return _reader().submit(_read, str(run.corpus["name"]), documents_of(run).ids)


@st.cache_resource(show_spinner=False)
def _reader() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(1, "nlpviz-texts")


def _read(corpus: str, ids: tuple[str, ...]) -> tuple[str, ...]:
    """Return the beginnings of test documents; none where one of them is not there."""
    from nlpviz.training.texts import labelled_texts

    test = labelled_texts(corpus, "test")
    places = {identifier: position for position, identifier in enumerate(test.ids)}
    if any(identifier not in places for identifier in ids):
        return ()
    return tuple(beginning(test.texts[places[identifier]]) for identifier in ids)
