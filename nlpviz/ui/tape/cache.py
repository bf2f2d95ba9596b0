"""Sequences as networks answer them: read once, shared by all visitors, bounded, keyed as in ``nlpviz.ui.cache``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import streamlit as st

from nlpviz.runs import Run, open_run
from nlpviz.runs.transducers import load_transducer, read_lengths

if TYPE_CHECKING:
    from nlpviz.results.tape import LengthError, SequenceReading


def reading(run: Run, epoch: int, length: int, number: int) -> SequenceReading:
    """Return how a network answers a test sequence of a length, from the one numbered 1."""
    return _reading(run.name, run.fingerprint, epoch, length, number)


def lengths(run: Run) -> tuple[LengthError, ...]:
    """Return how often each kept epoch answers wrongly, by length."""
    return _lengths(run.name, run.fingerprint)


@st.cache_resource(max_entries=12, show_spinner="Reading the sequence…")  # 4 MB each for 100 vectors
def _reading(name: str, fingerprint: str, epoch: int, length: int, number: int) -> SequenceReading:
    from nlpviz.analysis.inspection.tape import read_sequence

    return read_sequence(open_run(name), epoch, _network(name, fingerprint, epoch), length, number - 1)


@st.cache_resource(max_entries=12, show_spinner="Loading the network…")
def _network(name: str, fingerprint: str, epoch: int) -> Any:  # noqa: ANN401, ARG001 - the cache's key
    return load_transducer(open_run(name), epoch)


@st.cache_data(max_entries=32, show_spinner=False)
def _lengths(name: str, fingerprint: str) -> tuple[LengthError, ...]:  # noqa: ARG001 - the cache's key
    return read_lengths(open_run(name))
