"""The pages' only way to deletion curves: computed once, shared by all visitors, bounded, keyed as in ``cache``."""

from __future__ import annotations

import streamlit as st

from nlpviz.results.explanation import DeletionCurve, Explanation
from nlpviz.runs import Run, open_run
from nlpviz.ui import cache


def deletion_curve(run: Run, explanation: Explanation) -> DeletionCurve:
    """Return how fast the explained class loses its probability as tokens go, in the explanation's order."""
    text, target = explanation.encoded.text, explanation.target
    return _deletion_curve(run.name, run.fingerprint, explanation.epoch, text, explanation.method, target)


@st.cache_resource(max_entries=128, show_spinner=False)
def _deletion_curve(
    name: str,
    fingerprint: str,  # noqa: ARG001 - the cache's key
    epoch: int,
    text: str,
    method: str,
    target: int,
) -> DeletionCurve:
    from nlpviz.attribution import deletion

    explained = cache.explanation(open_run(name), epoch, text, method, target)
    return deletion.deletion_curve(cache.model(open_run(name), epoch), explained)
