"""The test documents of a run, as maps draw them: the facts about each, and every epoch's prediction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray


class Masking(IntEnum):
    """What masking the ratings in a document, such as ``7/10``, does to the class that the best epoch predicts."""

    NOT_MEASURED = -1
    NO_RATING = 0
    SAME_CLASS = 1
    OTHER_CLASS = 2


@dataclass(frozen=True)
class RunDocuments:
    """N test documents of one run, with no more of their texts than a hint.

    Attributes:
        run: its name.
        title: what people call it.
        class_names: what the labels mean.
        best_epoch: the one chosen on the validation texts.
        ids: how the corpus calls the documents.
        labels: int8 (N,), indices into the class names.
        ratings: int8 (N,), stars.
        lengths: int32 (N,), tokens before the cut.
        probabilities: epoch -> (N, K), what its network gave the classes; empty where it predicts none.
        beginnings: the first words of each text, plain; none where the corpus is not available.
        masking: (N,), a :class:`Masking` of each document; None where nobody asked.
        document: what one of them is called.
    """

    run: str
    title: str
    class_names: tuple[str, ...]
    best_epoch: int
    ids: tuple[str, ...]
    labels: NDArray[np.int8]
    ratings: NDArray[np.int8]
    lengths: NDArray[np.int32]
    probabilities: Mapping[int, NDArray[np.float32]]
    beginnings: tuple[str, ...] = ()
    masking: NDArray[np.integer] | None = None
    document: str = "text"
