"""Weights of words by naive Bayes, counted on training texts: a bag-of-words baseline without a network."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from nlpviz.text.vocabulary import SPECIALS, Vocabulary, tokenize

FREQUENT, LEAST = 6000, 5
"""Words that are weighed at most, the most frequent ones, and texts in which one must stand; other words weigh 0."""


def naive_bayes_weights(
    vocabulary: Vocabulary, texts: Sequence[str], positive: NDArray[np.bool_]
) -> NDArray[np.float32]:
    """Return the log-odds that each word adds, in the order of the vocabulary without its special ids.

    The log of how much likelier a positive text is to hold the word than another one, with one text more of either
    (Wang and Manning 2012, the log-count ratio of binarised counts).

    Args:
        vocabulary: whose words are weighed.
        texts: N training texts.
        positive: (N,), which of them are of the class that counts as positive.
    """
    count = min(len(vocabulary) - len(SPECIALS), FREQUENT)
    with_word = np.zeros((2, count + len(SPECIALS)), dtype=np.int64)
    for text, side in zip(texts, positive.astype(int), strict=True):
        ids = np.unique(vocabulary.ids(token.word for token in tokenize(text)))
        with_word[side, ids[ids < with_word.shape[1]]] += 1
    others, own = with_word[:, len(SPECIALS) :]
    sizes = (~positive).sum(), positive.sum()
    weights = np.log((own + 1) / (sizes[1] + 2)) - np.log((others + 1) / (sizes[0] + 2))
    return np.where(own + others >= LEAST, weights, 0).round(2).astype(np.float32)
