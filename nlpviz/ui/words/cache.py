"""The pages' only way to word vectors of runs: read once, shared by all visitors, bounded, keyed as in ``cache``."""

from __future__ import annotations

import streamlit as st

from nlpviz.results.vectors import WordVectors
from nlpviz.runs import Run, open_run
from nlpviz.runs import vectors as stored
from nlpviz.ui import limits


def vectors(run: Run, epoch: int, table: str = stored.INPUT) -> WordVectors:
    """Return the word vectors of one epoch of a run; frozen, for everyone.

    Raises:
        RunError: if the run keeps no such epoch or table, or is damaged.
    """
    return _vectors(run.name, run.fingerprint, epoch, table)


def tables(run: Run, epoch: int) -> tuple[str, ...]:
    """Return which tables an epoch of a run keeps: ``("input",)``, or ``("input", "output")``."""
    return _tables(run.name, run.fingerprint, epoch)


# of 30,000 words by 200: 24 MB each
@st.cache_resource(max_entries=limits.entries(12), show_spinner="Reading word vectors…")
def _vectors(name: str, fingerprint: str, epoch: int, table: str) -> WordVectors:  # noqa: ARG001 - the cache's key
    return stored.read_vectors(open_run(name), epoch, table)


@st.cache_data(max_entries=256, show_spinner=False)
def _tables(name: str, fingerprint: str, epoch: int) -> tuple[str, ...]:  # noqa: ARG001 - the cache's key
    return stored.tables(open_run(name), epoch)
