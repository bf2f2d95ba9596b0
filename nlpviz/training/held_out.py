"""Which training texts of a classifier are held out, to choose the epoch on and to fit a temperature to."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nlpviz.data.columns import LabelledTexts
from nlpviz.training.bounds import portion
from nlpviz.training.texts import SaysHeldOut


def held_out(
    labels: NDArray[np.integer], classes: int, validation: int, gap: int = 0
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the positions of the texts to train on and, as many of each label, of those held out.

    The last ones of each label are held out, not random ones: neighbours in the corpus are about the same film, and
    a model that has read its neighbours knows a text's names. A bag of n-grams reaches 92.0% on 5,000 random
    training reviews, 90.7% on the last 2,500 of each label, and the test films are unseen as well. A gap keeps the
    film at the border, which has up to 30 reviews, from occurring on both sides.

    Args:
        labels: of all training texts, in the corpus's order.
        classes: how many there are.
        validation: texts to hold out, one of each label at least.
        gap: texts beside them that are in neither part.
    """
    each, beside = max(portion(validation) // classes, 1), portion(gap) // classes
    of_label = [np.flatnonzero(labels == label) for label in range(classes)]
    train = np.sort(np.concatenate([positions[: -each - beside] for positions in of_label]))
    return train, np.concatenate([positions[-each:] for positions in of_label])


def parted(texts: LabelledTexts, classes: int, count: int, gap: int = 0) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the positions of the texts that are trained on, and of those held out: as the corpus says, or drawn."""
    if isinstance(texts, SaysHeldOut):
        return np.flatnonzero(~texts.held_out), np.flatnonzero(texts.held_out)
    return held_out(texts.labels, classes, count, gap)
