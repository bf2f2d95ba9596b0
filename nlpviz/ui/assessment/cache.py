"""What classifiers make of minimal pairs, and how far their probabilities are right: computed once for all visitors."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from nlpviz.results.assessment import Assessment
from nlpviz.results.behaviours import MinimalPair, Probed
from nlpviz.runs import Run
from nlpviz.ui import limits, progress
from nlpviz.ui.frame import escape_markdown


def probed(run: Run, pairs: Sequence[MinimalPair], token: str) -> list[Probed]:
    """Return what each kept epoch of a run makes of pairs, in ascending order; ``token`` names these very pairs.

    Of a run without epochs it is one result. The page shows how far it is.
    """

    def ask(tell: Callable[[float], object]) -> list[Probed]:
        import torch

        from nlpviz.kinds.behaviours import asked_epochs, probe

        torch.set_num_threads(1)  # visitors are threads of one process
        epochs, found = asked_epochs(run), []
        for at, epoch in enumerate(epochs):
            tell(at / len(epochs))
            found.append(probe(run, epoch, pairs, "cpu"))
        return found

    doing = f"Asking {escape_markdown(run.title)} {len(pairs):,} pairs at every kept epoch"
    return progress.computed(("minimal pairs", run.name, run.fingerprint, token), doing, ask)


def assessed(run: Run, epoch: int) -> Assessment:
    """Return how good a run's probabilities for all test texts are at ``epoch``; 0 for a run without epochs."""
    result: Assessment = _assessed(run, run.name, run.fingerprint, epoch)
    return result


@st.cache_resource(max_entries=limits.entries(256), show_spinner=False)
def _assessed(
    _run: Run,
    name: str,
    fingerprint: str,  # noqa: ARG001 - the cache's key
    epoch: int,
) -> Assessment:
    from nlpviz.reading.assessment import assess_predicted
    from nlpviz.runs.predictions import predictions_of

    found = predictions_of(_run, epoch if _run.epochs else None)
    named = (name, found.epoch, f"the test split of {_run.corpus['name']}")
    return assess_predicted(named, _run.class_names, found.predicted, found.labels)
