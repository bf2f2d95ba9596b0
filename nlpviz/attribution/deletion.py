"""Deletion: does the class lose its probability fastest if the tokens go that a method names first?

Samek, Binder, Montavon, Lapuschkin and Müller (2017), *Evaluating the Visualization of What a Deep Neural Network Has
Learned*, and for texts Nguyen (2018), *Comparing Automatic and Human Evaluation of Local Explanations for Text
Classification*. A token is taken out of the text that the model reads: those before and after it become neighbours.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import numpy as np
from numpy.typing import NDArray

from nlpviz.results.explanation import DeletionCurve, Explanation
from nlpviz.runs import TrainedModel

if TYPE_CHECKING:
    from nlpviz.models import Classifier

SHARES = (0.0, 0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.75, 1.0)  # of the tokens; what matters is among the first
ORDERS = 6  # random ones
_SEED = 0


def deletion_curve(trained: TrainedModel, explanation: Explanation) -> DeletionCurve:
    """Return the target's probability as tokens are taken out in the order of ``explanation`` and in random orders.

    A signed method's order begins with what supports the target most, so that its probability falls; where another
    class is predicted, with what speaks most against the target, so that it rises. Any other method's begins with the
    largest magnitude.

    Args:
        trained: the model that is explained, a :class:`nlpviz.models.Classifier`.
        explanation: of that model.
    """
    row, tokens = explanation.encoded.row, len(explanation.scores)
    against = explanation.signed and explanation.target != explanation.predicted
    own = np.argsort(explanation.scores if against else -explanation.scores, kind="stable")
    draw = np.random.default_rng(_SEED)
    orders = [own, *(draw.permutation(tokens) for _ in range(ORDERS))]
    ranks = np.argsort(np.stack(orders), axis=1)  # (1 + R, T): when each token goes
    taken = np.unique(np.ceil(np.array(SHARES) * tokens).astype(np.int64))
    columns = []
    for count in taken:
        differ = ranks if 0 < count < tokens else ranks[:1]  # with all tokens or none left, orders are alike
        texts = np.stack([row[rank >= count] for rank in differ])  # (1 + R, T - count)
        columns.append(np.broadcast_to(_probabilities(trained, texts, explanation.target), len(ranks)))
    probabilities = np.stack(columns, axis=1)
    return DeletionCurve(
        run=explanation.run,
        epoch=explanation.epoch,
        method=explanation.method,
        target=explanation.class_names[explanation.target],
        tokens=tokens,
        taken=taken,
        probability=probabilities[0],
        random=probabilities[1:],
        seed=_SEED,
    )


def _probabilities(trained: TrainedModel, texts: NDArray[np.int64], target: int) -> NDArray[np.float32]:
    """Return the probability (N,) of class ``target`` for texts of one length (N, T)."""
    import torch

    from nlpviz.models import class_probabilities

    classifier, ids = cast("Classifier", trained.module), torch.from_numpy(texts)
    with torch.inference_mode():
        logits = classifier.classify(classifier.embed(ids), classifier.mask(ids))
        result: NDArray[np.float32] = class_probabilities(logits)[:, target].float().numpy()
    return result
