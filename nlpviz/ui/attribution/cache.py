"""The pages' only way to tests of explanations: computed once for all visitors, bounded, keyed as in ``cache``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nlpviz.results.deletion import DeletionCurve
from nlpviz.results.explanation import Explanation
from nlpviz.run_kinds.drawn.excerpts import quoted_beginnings
from nlpviz.runs import Run
from nlpviz.ui import cache
from nlpviz.ui.attribution import baselines
from nlpviz.ui.calls import Call

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from nlpviz.analysis.attribution.randomisation import Stage


@cache.shared(32)
def beginnings(corpus: str, ids: tuple[str, ...]) -> dict[str, str]:
    """Return how documents begin, as labels of bars; none where the corpus is missing."""
    return quoted_beginnings(corpus, ids)


def deletion_curve(run: Run, explanation: Explanation) -> Call[DeletionCurve]:
    """Return how fast the explained class loses its probability as tokens go, in the explanation's order."""
    from nlpviz.analysis.attribution import deletion

    known = _deletion_curves(run, explanation)[0]
    model = cache.loaded(run, explanation.epoch)
    return Call(deletion.deletion_curve, model, cache.explained(explanation)).giving(known)


def baseline_curves(run: Run, explanation: Explanation) -> tuple[DeletionCurve, ...]:
    """Return the same in the orders of the baselines: computed with it, for all read the text in the same batches."""
    return _deletion_curves(run, explanation)[1:]


@cache.shared(128)
def _deletion_curves(run: Run, explanation: Explanation) -> tuple[DeletionCurve, ...]:
    from nlpviz.analysis.attribution import deletion

    beside = [one() for one in baselines.beside(run, cache.explained(explanation))[:-1]]  # the last one mirrors "later"
    orders = [explanation, *beside]  # each one more costs a slow network as much as a random order
    return tuple(deletion.deletion_curves(cache.model(run, explanation.epoch), orders))


def layers(run: Run, epoch: int) -> tuple[str, ...]:
    """Return the layers of a run's network as they are drawn anew, from the top down."""
    return tuple(stage.layer for stage in _stages(run, epoch)())


@cache.shared(512)
def randomised_scores(run: Run, explanation: Explanation, stage: int) -> Call[NDArray[np.float32]]:
    """Return the scores (T,) that explain the same text when the layers up to ``stage`` are drawn anew."""
    from nlpviz.analysis.attribution import randomisation

    return Call(randomisation.scores_at, _stages(run, explanation.epoch).at(stage), cache.explained(explanation))


@cache.shared(4)
def _stages(run: Run, epoch: int) -> Call[tuple[Stage, ...]]:
    from nlpviz.analysis.attribution import randomisation

    return Call(randomisation.randomised, cache.loaded(run, epoch))
