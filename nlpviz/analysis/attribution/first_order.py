"""HotFlip: what replacing a word would do to a prediction, to first order, for every word of the vocabulary at once.

Ebrahimi, Rao, Lowd and Dou (2018), *HotFlip: White-Box Adversarial Examples for Text Classification*, section 3.2, with
whole words in place of letters (their section 5): the change of the margin is about the gradient at the word times the
difference of the two word vectors. A deletion is estimated by the zero vector in the word's place.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from nlpviz.analysis.attribution import derivative
from nlpviz.analysis.attribution.class_score import differentiable
from nlpviz.networks.architectures import Classifier, class_probabilities, class_scores, padded
from nlpviz.runs import TrainedModel

_WORDS = 8192  # read at once


class MarginEstimate(NamedTuple):
    """How the margin of one text would move, to first order.

    Attributes:
        swapped: by each word of the vocabulary in place of each token, (T, V).
        deleted: by the zero vector in place of each token, (T,).
    """

    swapped: NDArray[np.float32]
    deleted: NDArray[np.float32]


def word_table(trained: TrainedModel) -> Tensor:
    """Return the vector of every word of the vocabulary, (V, D)."""
    module = cast("Classifier", trained.module)
    with torch.no_grad():
        return module.embed(torch.arange(len(trained.vocabulary)).unsqueeze(1))[:, 0]


def probabilities(trained: TrainedModel, rows: Sequence[NDArray[np.int64]]) -> NDArray[np.float32]:
    """Return the probability of each class for each text, (N, K), as many at once as memory allows."""
    module = cast("Classifier", trained.module)
    at_once = max(1, _WORDS // max([1, *(len(row) for row in rows)]))
    found = [np.empty((0, len(trained.run.class_names)), dtype=np.float32)]
    for start in range(0, len(rows), at_once):
        ids = padded(rows[start : start + at_once])
        with torch.inference_mode():
            logits = module.classify(module.embed(ids), module.mask(ids))
            found.append(class_probabilities(logits).float().numpy())
    return np.concatenate(found)


def estimates(
    trained: TrainedModel, rows: Sequence[NDArray[np.int64]], predicted: int, table: Tensor
) -> list[MarginEstimate]:
    """Return how the margin of the best other class over ``predicted`` would move, for each text.

    Args:
        trained: the model, a classifier.
        rows: the texts as the model reads them, at least one.
        predicted: the index of the class whose prediction is to turn.
        table: of :func:`word_table`.
    """
    result = []
    for row, (gradient, embedded) in zip(rows, gradients(trained, rows, predicted), strict=True):
        own = (gradient * embedded).sum(dim=1)  # (T,)
        swapped = gradient @ table.T - own.unsqueeze(1)
        result.append(MarginEstimate(swapped.numpy(), -own.numpy()))
        assert len(swapped) == len(row)
    return result


def gradients(trained: TrainedModel, rows: Sequence[NDArray[np.int64]], predicted: int) -> list[tuple[Tensor, Tensor]]:
    """Return the derivative of each text's margin with respect to its word vectors, and these, each (T, D)."""
    module, ids = cast("Classifier", trained.module), padded(rows)
    embedded = module.embed(ids).detach().requires_grad_()
    with differentiable():
        scores = class_scores(module.classify(embedded, module.mask(ids)))  # (B, K)
        others = scores.clone()
        others[:, predicted] = -torch.inf
        margin = others.max(dim=1).values - scores[:, predicted]
        found = derivative(margin.sum(), embedded)  # no text of a batch depends on another one
    return [(found[place, : len(row)].detach(), embedded[place, : len(row)].detach()) for place, row in enumerate(rows)]
