"""The pages' only way to tests of explanations: computed once for all visitors, bounded, keyed as in ``cache``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from nlpviz.analysis.attribution.baselines import EARLIER
from nlpviz.results.deletion import DeletionCurve
from nlpviz.results.explanation import Explanation
from nlpviz.runs import Run, open_run
from nlpviz.ui import cache
from nlpviz.ui.attribution import baselines

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from nlpviz.analysis.attribution.randomisation import Stage


def deletion_curve(run: Run, explanation: Explanation) -> DeletionCurve:
    """Return how fast the explained class loses its probability as tokens go, in the explanation's order."""
    return _deletion_curves_of(run, explanation)[0]


def baseline_curves(run: Run, explanation: Explanation) -> tuple[DeletionCurve, ...]:
    """Return the same in the orders of the baselines: computed with it, for all read the text in the same batches."""
    return _deletion_curves_of(run, explanation)[1:]


def _deletion_curves_of(run: Run, explanation: Explanation) -> tuple[DeletionCurve, ...]:
    text, target = explanation.encoded.text, explanation.target
    return _deletion_curves(run.name, run.fingerprint, explanation.epoch, text, explanation.method, target)


@st.cache_resource(max_entries=128, show_spinner=False)
def _deletion_curves(
    name: str,
    fingerprint: str,  # noqa: ARG001 - the cache's key
    epoch: int,
    text: str,
    method: str,
    target: int,
) -> tuple[DeletionCurve, ...]:
    from nlpviz.analysis.attribution import deletion

    explained = cache.explanation(open_run(name), epoch, text, method, target)
    beside = [one for one in baselines.beside(open_run(name), explained) if one.method != EARLIER.name]
    orders = [explained, *beside]  # each one more costs a slow network as much as a random order
    return tuple(deletion.deletion_curves(cache.model(open_run(name), epoch), orders))


def layers(run: Run, epoch: int) -> tuple[str, ...]:
    """Return the layers of a run's network as they are drawn anew, from the top down."""
    return tuple(stage.layer for stage in _stages(run.name, run.fingerprint, epoch))


def randomised_scores(run: Run, explanation: Explanation, stage: int) -> NDArray[np.float32]:
    """Return the scores (T,) that explain the same text when the layers up to ``stage`` are drawn anew."""
    text, target = explanation.encoded.text, explanation.target
    return _randomised_scores(run.name, run.fingerprint, explanation.epoch, text, explanation.method, target, stage)


@st.cache_resource(max_entries=512, show_spinner=False)
def _randomised_scores(
    name: str, fingerprint: str, epoch: int, text: str, method: str, target: int, stage: int
) -> NDArray[np.float32]:
    from nlpviz.analysis.attribution import randomisation

    explained = cache.explanation(open_run(name), epoch, text, method, target)
    return randomisation.scores_at(_stages(name, fingerprint, epoch)[stage], explained)


@st.cache_resource(max_entries=4, show_spinner=False)
def _stages(name: str, fingerprint: str, epoch: int) -> tuple[Stage, ...]:  # noqa: ARG001 - the cache's key
    from nlpviz.analysis.attribution import randomisation

    return randomisation.randomised(cache.model(open_run(name), epoch))
