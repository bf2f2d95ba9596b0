"""The pages' only way to states: computed once, shared by all visitors, bounded, keyed as in ``cache``."""

from __future__ import annotations

import streamlit as st

from nlpviz.results.states import TextStates
from nlpviz.runs import Run
from nlpviz.ui import cache


def states(run: Run, epoch: int, text: str) -> TextStates:
    """Return what the network of one epoch holds after each word of ``text``."""
    return _states(run, run.name, run.fingerprint, epoch, text)


@st.cache_resource(max_entries=24, show_spinner=False)  # of 400 words, 116 units and five parts: 1.1 MB each
def _states(
    _run: Run,
    name: str,  # noqa: ARG001 - the cache's key
    fingerprint: str,  # noqa: ARG001
    epoch: int,
    text: str,
) -> TextStates:
    from nlpviz.analysis.inspection.states import read_states

    return read_states(cache.model(_run, epoch), text)
