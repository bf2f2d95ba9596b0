"""A logistic regression over texts' vectors: fitted to training texts, its penalty chosen on validation texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from nlpviz.networks.architectures import padded
from nlpviz.networks.paragraph_networks import ParagraphNetwork
from nlpviz.training.batches import bucketed

Numbers = NDArray[np.float32]
Labelled = tuple[Numbers, NDArray[np.integer]]
"""Vectors (N, E), and the class of each."""
_BATCH, _STEPS = 64, 500


class Regression(NamedTuple):
    """A regression that was fitted.

    Attributes:
        weights: (C, E); C is 1 for two classes, the log-odds of the second one.
        biases: (C,).
        strength: C, the inverse of the penalty on the squared weights of vectors that were scaled to one spread.
        train: accuracy on what it was fitted to.
        validation: on what chose the strength.
    """

    weights: Numbers
    biases: Numbers
    strength: float
    train: float
    validation: float


def vectors_of(network: ParagraphNetwork, ids: Sequence[NDArray[np.integer]], longest: int) -> Numbers:
    """Return the inferred vectors (N, E) of encoded texts, from their first ``longest`` tokens."""
    read = [text[:longest] for text in ids]
    result, device = np.zeros((len(read), network.embedding_size), dtype=np.float32), network.output.device
    with torch.inference_mode():
        for positions in bucketed(np.array([len(text) for text in read]), _BATCH, None):
            batch = padded([read[position] for position in positions])
            result[positions] = network.infer(batch.to(device)).cpu().numpy()
    return result


def chosen(train: Labelled, validation: Labelled, strengths: Sequence[float]) -> Regression:
    """Return the regression whose strength is best on the validation texts; of equals the most penalised one."""
    found = [_fitted(train, validation, strength) for strength in sorted(strengths)]
    return max(found, key=lambda one: (one.validation, -one.strength))


def _fitted(train: Labelled, validation: Labelled, strength: float) -> Regression:
    from sklearn.linear_model import LogisticRegression

    scale = float(train[0].std()) or 1.0
    model = LogisticRegression(C=strength, max_iter=_STEPS).fit(train[0] / scale, train[1])
    weights, biases = (np.asarray(part, dtype=np.float32) for part in (model.coef_ / scale, model.intercept_))
    shares = [accuracy(weights, biases, *some)["accuracy"] for some in (train, validation)]
    return Regression(weights, biases, strength, *shares)


def accuracy(weights: Numbers, biases: Numbers, vectors: Numbers, labels: NDArray[np.integer]) -> dict[str, float]:
    """Return the accuracy and the loss (nats) of a regression on vectors (N, E), and how many they are."""
    logits = vectors.astype(np.float64) @ weights.T.astype(np.float64) + biases
    if logits.shape[1] == 1:
        logits = np.concatenate([np.zeros_like(logits), logits], axis=1)
    logits -= logits.max(axis=1, keepdims=True)
    log_shares = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
    right = float((logits.argmax(axis=1) == labels).mean())
    loss = float(-log_shares[np.arange(len(labels)), labels].mean())
    return {"accuracy": right, "loss": loss, "documents": len(labels)}
