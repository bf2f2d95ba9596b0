"""Texts with some words masked, and the order in which a word list would mask them.

A masked word becomes the unknown word, whose vector is the mean of all others where a run starts from word vectors: as
a pixel becomes the mean pixel in Hooker et al. (2019). It keeps its place.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from nlpviz.text.vocabulary import SENTENCE, UNKNOWN


def count_masked(share: float, tokens: int) -> int:
    """Return how many of a text's tokens a share of them is, rounded."""
    return round(share * tokens)


def masked(row: NDArray[np.integer], ranks: NDArray[np.integer], share: float) -> NDArray[np.int64]:
    """Return a text (T,) whose tokens of the lowest ``ranks`` (T,) are unknown words; each stays in its sentence."""
    gone = ranks < count_masked(share, len(row))
    return np.where(gone, UNKNOWN + row // SENTENCE * SENTENCE, row)


def log_count_ratios(
    rows: Sequence[NDArray[np.integer]], labels: NDArray[np.integer], size: int, classes: int
) -> NDArray[np.float32]:
    """Return each word's strongest evidence for a class, (V,): the largest magnitude of its log-count ratios.

    Each text is counted once for a word, however often it stands there, with one text more of either
    side (Wang and Manning 2012, *Baselines and Bigrams*, section 2.1).

    Args:
        rows: N texts that are trained on.
        labels: (N,), theirs.
        size: of the vocabulary, V.
        classes: how many there are.
    """
    counts, texts = np.ones((classes, size)), np.bincount(labels, minlength=classes)
    for row, label in zip(rows, labels.tolist(), strict=True):
        counts[label, np.unique(row % SENTENCE)] += 1
    own = np.log(counts / (texts + 2)[:, None])
    others = np.log((counts.sum(axis=0) - counts) / (texts.sum() - texts + 2)[:, None])
    result: NDArray[np.float32] = np.abs(own - others).max(axis=0).astype(np.float32)
    return result
