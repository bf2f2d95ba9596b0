"""The order in which a method would remove the words of encoded texts: largest magnitude first, ignoring the sign."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from nlpviz.networks.architectures import Classifier
    from nlpviz.runs import TrainedModel


def magnitudes(trained: TrainedModel, row: NDArray[np.integer], method: str) -> NDArray[np.float32]:
    """Return the magnitude (T,) of each token's score for the predicted class, by a method in :func:`methods`.

    Of two classes a signed method's magnitudes are those of either, so that the order does not tell which is predicted.

    Args:
        trained: a classifier.
        row: (T,), a text as the network takes it.
        method: its name; it must apply to the network.
    """
    import torch

    from nlpviz.analysis.attribution import methods
    from nlpviz.analysis.attribution.class_score import class_score

    if not len(row):
        return np.zeros(0, dtype=np.float32)
    score = class_score(cast("Classifier", trained.module), torch.from_numpy(row), None)
    scores = methods()[method].attribute(score, score.embedded).scores
    found: NDArray[np.float32] = scores.detach().abs().float().numpy()
    return found


def ranks(magnitudes: NDArray[np.floating], rng: np.random.Generator) -> NDArray[np.uint16]:
    """Return how many tokens precede each token, (T,), the largest magnitude first; equal ones in random order.

    A max-pooling network gives many words no score at all: in their own order they would put the beginning first.
    """
    drawn = rng.permutation(len(magnitudes))
    order = drawn[np.argsort(-magnitudes[drawn], kind="stable")]
    place = np.empty(len(order), dtype=np.uint16)
    place[order] = np.arange(len(order), dtype=np.uint16)
    return place
