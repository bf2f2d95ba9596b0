"""The gradient of a text's loss with respect to the table of word vectors: a row for each word that occurs in the text.

Yeh, Taly, Sundararajan, Liu and Ravikumar (2022), *First is Better Than Last for Language Data Influence*, section 4.1:
each position adds to the row of its word, and the rows of words that a text does not hold are zero. The weights are
those of evaluation, without dropout.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from nlpviz.analysis.attribution import derivative
from nlpviz.analysis.attribution.class_score import differentiable
from nlpviz.networks.architectures import Classifier, class_scores, padded
from nlpviz.text.vocabulary import PAD, SENTENCE

BATCH, TOKENS = 64, 1 << 14
"""Texts of like length, and words of them, that are read at once: more gain nothing and take memory."""


class WordGradients(NamedTuple):
    """The rows of some texts' gradients that are not zero, by text, then by word.

    Attributes:
        texts: int64 (R,), the position of the text that a row belongs to.
        words: int64 (R,), the id of its word.
        vectors: (R, D), nats for each unit of the word's vector.
    """

    texts: Tensor
    words: Tensor
    vectors: Tensor

    def squared_norms(self, count: int) -> Tensor:
        """Return the squared length of each of ``count`` texts' gradients, (count,)."""
        squares = self.vectors.square().sum(dim=1)
        return squares.new_zeros(count).index_add_(0, self.texts, squares)


def loss(logits: Tensor, targets: Tensor) -> Tensor:
    """Return the cross-entropy (B,), nats, of logits (B, C) against classes (B,); one logit is a sigmoid neuron's."""
    if logits.shape[1] == 1:
        return -functional.logsigmoid(class_scores(logits).gather(1, targets[:, None])[:, 0])
    return functional.cross_entropy(logits, targets, reduction="none")


def word_gradients(
    module: Classifier, rows: Sequence[NDArray[np.integer]], targets: NDArray[np.integer]
) -> WordGradients:
    """Return the gradients of some texts' losses; texts without a word have no row.

    Args:
        module: in evaluation mode; nothing is left in it.
        rows: of each text, what the network reads: ids (T,).
        targets: the class (N,) whose loss each text has.
    """
    worded = [position for position, row in enumerate(rows) if len(row)]
    if not worded:
        return WordGradients(torch.zeros(0, dtype=torch.int64), torch.zeros(0, dtype=torch.int64), torch.zeros(0, 1))
    ids = padded([rows[position] for position in worded])
    words = module.embed(ids).detach().requires_grad_()  # (B, T, D)
    with differentiable():
        losses = loss(module.classify(words, module.mask(ids)), torch.from_numpy(targets[worded].astype(np.int64)))
        gradient = derivative(losses.sum(), words)
    place = torch.tensor(worded)[:, None].expand_as(ids)
    return _by_word(place, ids % SENTENCE, gradient)


def batches(rows: Sequence[NDArray[np.integer]]) -> Iterator[NDArray[np.int64]]:
    """Yield batches of positions, each text once: texts of similar length, with a bounded number of words per batch."""
    lengths = np.array([len(row) for row in rows], dtype=np.int64)
    order, start = np.argsort(-lengths, kind="stable"), 0
    while start < len(order):
        size = min(BATCH, max(1, TOKENS // max(int(lengths[order[start]]), 1)))
        yield order[start : start + size]
        start += size


def _by_word(texts: Tensor, words: Tensor, gradient: Tensor) -> WordGradients:
    """Return the sums of ``gradient`` (B, T, D) over the places of each word of each text, but for padding."""
    felt = (words != PAD) & (gradient != 0).any(dim=2)
    texts, words, gradient = texts[felt], words[felt], gradient[felt]
    size = int(words.max()) + 1 if len(words) else 1
    keys, inverse = torch.unique(texts * size + words, return_inverse=True)
    summed = gradient.new_zeros(len(keys), gradient.shape[1]).index_add_(0, inverse, gradient)
    return WordGradients(keys // size, keys % size, summed)
