"""Deletion: does the class's probability drop fastest if a method's top-ranked tokens are removed?

Samek, Binder, Montavon, Lapuschkin and Müller (2017), *Evaluating the Visualization of What a Deep Neural Network Has
Learned*; for texts Nguyen (2018), *Comparing Automatic and Human Evaluation of Local Explanations for Text
Classification*, and DeYoung et al. (2020), *ERASER*, who call it comprehensiveness. A token is removed from the text
that the model reads: those before and after it become neighbours.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

import numpy as np
from numpy.typing import NDArray

from nlpviz.results.deletion import BINS, DeletionCurve, removed
from nlpviz.results.explanation import Explanation
from nlpviz.runs import TrainedModel

if TYPE_CHECKING:
    from nlpviz.networks.architectures import Classifier

SHARES = (0.0, *BINS, 1.0)  # of the tokens
ORDERS = 10  # random ones
_SEED = 0


def deletion_curve(trained: TrainedModel, explanation: Explanation) -> DeletionCurve:
    """Return the probability of a class as the tokens of a text are removed in order of their scores.

    The curve is compared with those of ten random orders (Samek et al. 2017; called comprehensiveness by DeYoung et al.
    2020). Tokens are removed in descending order of their scores. If the method is signed and a class other than the
    target is predicted, the order is ascending; the target's probability should then rise.

    Args:
        trained: the classifier that was explained.
        explanation: an explanation of this classifier.

    Returns:
        The target's probability after the removal of S different numbers of tokens, shape (S,), and the same for R
        random orders, shape (R, S). The attribute ``aopc`` is the area over the curve.

    Example:
        >>> from nlpviz.analysis.attribution import explain
        >>> from nlpviz.analysis.attribution.deletion import deletion_curve
        >>> from nlpviz.runs import open_run
        >>> model = open_run("imdb-cnn").load()
        >>> curve = deletion_curve(model, explain(model, "A waste of time, but good actors.", "occlusion"))
        >>> round(curve.aopc, 2)
        0.35
        >>> curve.better, len(curve.random)  # better than all random orders
        (10, 10)
    """
    return deletion_curves(trained, [explanation])[0]


def deletion_curves(trained: TrainedModel, explanations: Sequence[Explanation]) -> list[DeletionCurve]:
    """Return :func:`deletion_curve` of several methods' explanations of one text and target; random orders are theirs.

    Args:
        trained: the model that is explained.
        explanations: of that model, one at least.
    """
    first, methods = explanations[0], len(explanations)
    row, tokens = first.encoded.row, len(first.scores)
    draw = np.random.default_rng(_SEED)
    orders = [*map(_order, explanations), *(draw.permutation(tokens) for _ in range(ORDERS))]
    ranks = np.argsort(np.stack(orders), axis=1)  # (M + R, T): when each token goes
    taken = np.unique(removed(SHARES, tokens))
    columns = []
    for count in taken:
        differ = ranks if 0 < count < tokens else ranks[:1]  # with all tokens or none left, orders are alike
        texts = np.stack([row[rank >= count] for rank in differ])  # (M + R, T - count)
        columns.append(np.broadcast_to(_probabilities(trained, texts, first.target), len(ranks)))
    probabilities = np.stack(columns, axis=1)
    return [
        DeletionCurve(
            run=explanation.run,
            epoch=explanation.epoch,
            method=explanation.method,
            target=explanation.class_names[explanation.target],
            tokens=tokens,
            taken=taken,
            probability=probability,
            random=probabilities[methods:],
            seed=_SEED,
            rises=_against(explanation),
        )
        for explanation, probability in zip(explanations, probabilities[:methods], strict=True)
    ]


def _order(explanation: Explanation) -> NDArray[np.int64]:
    """Return the positions (T,) of the tokens, the first to be removed first."""
    upwards = explanation.signed and _against(explanation)
    return np.argsort(explanation.scores if upwards else -explanation.scores, kind="stable")


def _against(explanation: Explanation) -> bool:
    return explanation.target != explanation.predicted


def _probabilities(trained: TrainedModel, texts: NDArray[np.int64], target: int) -> NDArray[np.float32]:
    """Return the probability (N,) of class ``target`` for texts of one length (N, T)."""
    import torch

    from nlpviz.networks.architectures import class_probabilities

    classifier, ids = cast("Classifier", trained.module), torch.from_numpy(texts)
    with torch.inference_mode():
        logits = classifier.classify(classifier.embed(ids), classifier.mask(ids))
        result: NDArray[np.float32] = class_probabilities(logits)[:, target].float().numpy()
    return result
