"""How stable explanations are: under small perturbations of the word vectors, before training, with randomised layers.

Sensitivity: Yeh, Hsieh, Suggala, Inouye and Ravikumar (2019), *On the (In)fidelity and Sensitivity of Explanations*,
definition 2, relative to the norm of the scores. The largest change within a radius is sought by drawing moves, so that
what is found is a lower bound. The radius is a share of the range of the text's word vectors, whose scale differs
between networks. The class whose score is explained stays the same.

Before training, and with layers drawn anew from the top down: ``randomisation.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, cast

import numpy as np

from nlpviz.analysis.attribution import explain, methods
from nlpviz.analysis.attribution.randomisation import SEED, randomised
from nlpviz.results.explanation import Explanation
from nlpviz.results.stability import Stability
from nlpviz.runs import TrainedModel
from nlpviz.stats.rank_correlation import rank_correlation

if TYPE_CHECKING:
    from torch import Tensor

    from nlpviz.networks.architectures import Classifier

MOVES = 5
RADIUS = 0.01
"""Of a move of each number, as a share of the range of all numbers of the text's word vectors."""


def stability(
    trained: TrainedModel,
    explanations: Sequence[Explanation],
    untrained: TrainedModel | None = None,
    say: Callable[[float], object] = lambda _: None,
) -> Stability:
    """Return how much explanations change when word vectors are perturbed or network layers are re-initialised.

    Sensitivity follows definition 2 of Yeh et al. (2019), *On the (In)fidelity and Sensitivity of Explanations*,
    estimated from five random perturbations. Rank correlations follow Adebayo et al. (2018).

    Args:
        trained: the classifier that was explained.
        explanations: explanations of one text and class by M methods, at least one.
        untrained: the same network before training; None omits it.
        say: progress callback, called with the completed fraction.

    Returns:
        The sensitivity of each method, shape (M,), as a fraction of the norm of its scores. In addition, Spearman's
        rank correlation with the explanation of each of O other networks, shape (M, O).

    Example:
        >>> from nlpviz.analysis.attribution import explain
        >>> from nlpviz.analysis.attribution.stability import stability
        >>> from nlpviz.runs import open_run
        >>> model = open_run("imdb-cnn").load()
        >>> result = stability(model, [explain(model, "A waste of time, but good actors.", "occlusion")])
        >>> result.networks[0], result.networks[-1]
        ('output layer', 'word vectors')
        >>> print(result.sensitivity.round(2), result.correlation[0, [0, -1]].round(1))
        [0.02] [ 0.9 -0.1]
    """
    first = explanations[0]
    others = {"before training": untrained} if untrained is not None else {}
    others |= {stage.layer: stage.trained for stage in randomised(trained)}
    moves, radius = _moves(trained, first)
    sensitivities, correlations = [], []
    for done, one in enumerate(explanations):
        say(done / len(explanations))
        sensitivities.append(_sensitivity(trained, one, moves))
        correlations.append([_correlation(one, other) for other in others.values()])
    return Stability(
        run=first.run,
        epoch=first.epoch,
        methods=tuple(one.method for one in explanations),
        sensitivity=np.array(sensitivities, dtype=np.float64),
        moves=MOVES,
        radius=radius,
        networks=tuple(others),
        correlation=np.array(correlations, dtype=np.float64).reshape(len(explanations), len(others)),
        words=len(np.unique(first.encoded.ids)),
        seed=SEED,
    )


def _moves(trained: TrainedModel, explanation: Explanation) -> tuple[list[Tensor], float]:
    """Return the moved word vectors, (1, T, D) each, the same for all methods, and the radius."""
    import torch

    classifier = cast("Classifier", trained.module)
    words = classifier.embed(torch.from_numpy(explanation.encoded.row).unsqueeze(0)).detach()
    radius = RADIUS * float(words.max() - words.min()) if words.numel() else 0.0
    draw = torch.Generator().manual_seed(SEED)
    drawn = (torch.rand(words.shape, generator=draw, dtype=words.dtype) for _ in range(MOVES))
    return [words + radius * (2 * shares - 1) for shares in drawn], radius


def _sensitivity(trained: TrainedModel, explanation: Explanation, moves: Sequence[Tensor]) -> float:
    """Return the largest change of the scores over the moves, as a share of their norm."""
    import torch

    from nlpviz.analysis.attribution.class_score import class_score

    classifier, own = cast("Classifier", trained.module), torch.from_numpy(explanation.scores.copy())
    if not float(own.norm()):
        return float("nan")
    score = class_score(classifier, torch.from_numpy(explanation.encoded.row), explanation.target)
    method = methods()[explanation.method]
    changes = [method.attribute(score, moved).scores.detach().float() - own for moved in moves]
    return max(float(change.norm() / own.norm()) for change in changes)


def _correlation(explanation: Explanation, other: TrainedModel) -> float | None:
    """Return the rank correlation with the scores of the same text, method and target by another network."""
    scores = explain(other, explanation.encoded.text, explanation.method, explanation.target).scores
    return rank_correlation(explanation.scores, scores)
