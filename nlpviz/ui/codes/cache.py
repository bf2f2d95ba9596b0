"""The pages' only way to codes: computed once, shared by all visitors, bounded, keyed as in ``cache``."""

from __future__ import annotations

import streamlit as st

from nlpviz.results.codes import CodeWalk, TextCode, UnitClasses, UnitTopic
from nlpviz.runs import Run
from nlpviz.runs.codes import divergences_of
from nlpviz.ui import cache


def text_code(run: Run, epoch: int, text: str) -> TextCode:
    """Return a text's code at one epoch, and what comes back of it."""
    return _text_code(run, run.name, run.fingerprint, epoch, text)


def walk(run: Run, epoch: int, texts: tuple[str, str], ends: tuple[str, str]) -> CodeWalk:
    """Return the way between the codes of two texts at one epoch, decoded."""
    return _walk(run, run.name, run.fingerprint, epoch, texts, ends)


def unit_topics(run: Run, epoch: int) -> tuple[UnitTopic, ...]:
    """Return what each unit does to the words at one epoch."""
    return _unit_topics(run, run.name, run.fingerprint, epoch)


def unit_classes(run: Run, epoch: int) -> UnitClasses:
    """Return how well each unit tells each class from the others at one epoch."""
    return _unit_classes(run, run.name, run.fingerprint, epoch)


@st.cache_resource(max_entries=128, show_spinner=False)
def _text_code(_run: Run, name: str, fingerprint: str, epoch: int, text: str) -> TextCode:  # noqa: ARG001 - the key
    from nlpviz.analysis.inspection import codes

    return codes.text_code(cache.model(_run, epoch), text)


@st.cache_resource(max_entries=64, show_spinner=False)
def _walk(
    _run: Run,
    name: str,  # noqa: ARG001 - the cache's key
    fingerprint: str,  # noqa: ARG001
    epoch: int,
    texts: tuple[str, str],
    ends: tuple[str, str],
) -> CodeWalk:
    from nlpviz.analysis.inspection import codes

    return codes.walk(cache.model(_run, epoch), *texts, ends)


@st.cache_resource(max_entries=32, show_spinner=False)
def _unit_topics(_run: Run, name: str, fingerprint: str, epoch: int) -> tuple[UnitTopic, ...]:  # noqa: ARG001
    from nlpviz.analysis.inspection import codes

    return codes.unit_topics(cache.model(_run, epoch), divergences_of(_run, epoch))


@st.cache_resource(max_entries=32, show_spinner=False)
def _unit_classes(_run: Run, name: str, fingerprint: str, epoch: int) -> UnitClasses:  # noqa: ARG001
    from nlpviz.analysis.inspection import codes

    return codes.unit_classes(cache.model(_run, epoch))
