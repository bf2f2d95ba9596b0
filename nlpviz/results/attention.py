"""A network's attention in one text: weights of its words, of its sentences, and between all pairs of words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlpviz.text.vocabulary import EncodedText


class AttendedSentence(NamedTuple):
    """One sentence that a network read.

    Attributes:
        first: the position of its first token among those that were read.
        last: the place after its last one.
        start: the character at which the sentence begins, ``text[start:end]``.
        end: the character after its last one; tokens beyond the maximum length lie before it too.
        weight: of the sentence in the document vector.
    """

    first: int
    last: int
    start: int
    end: int
    weight: float


@dataclass(frozen=True)
class TextAttention:
    """The weights that a network gave the T tokens it read; a text without tokens has empty arrays.

    Attributes:
        run: the run whose model read the text.
        epoch: the epoch of its weights; 0 is before training, ``NO_EPOCH`` where nobody knows.
        text: the text as the model saw it.
        class_names: the classes, in the order of ``probabilities``.
        probabilities: shape (K,), what the model says of the text; they sum to one.
        words: shape (T,), they sum to one. Where a network pools by attention, the weight of each token in the document
            vector: with sentences, its weight within its sentence times the sentence's. Under self-attention the
            attention that the token gets, averaged over layers, heads and queries.
        within: shape (T,), each token's weight within its sentence, one in sum for every sentence; None where
            there are no sentences.
        sentences: the sentences that the network read, in order, their weights one in sum; empty where it reads none.
        heads: shape (L, H, T, T), what the query (row) of each layer and head attends to (column), one in sum for
            every row; None without self-attention.
    """

    run: str
    epoch: int
    text: EncodedText
    class_names: tuple[str, ...]
    probabilities: NDArray[np.float32]
    words: NDArray[np.float32]
    within: NDArray[np.float32] | None = None
    sentences: tuple[AttendedSentence, ...] = ()
    heads: NDArray[np.float32] | None = None

    def __post_init__(self) -> None:
        """Make the arrays read-only; refuse weights that do not match the tokens."""
        count = len(self.text.ids)
        weights = [self.words] if self.within is None else [self.words, self.within]
        if any(array.shape != (count,) for array in weights):
            raise ValueError("attention needs one weight per token read")
        if self.heads is not None and self.heads.shape[2:] != (count, count):
            raise ValueError("a head needs one weight per pair of tokens read")
        if self.sentences and [
            position for part in self.sentences for position in range(part.first, part.last)
        ] != list(range(count)):
            raise ValueError("each token read must belong to one sentence, in order")
        arrays = [*weights, self.probabilities] if self.heads is None else [*weights, self.probabilities, self.heads]
        for array in arrays:
            array.setflags(write=False)

    @property
    def predicted(self) -> int:
        """The index of the most probable class."""
        return int(np.argmax(self.probabilities))

    def strongest(self, count: int) -> list[int]:
        """Return the positions of the ``count`` tokens with the largest weights, largest first."""
        order = np.argsort(-self.words, kind="stable")
        return [int(position) for position in order[:count]]


class HeadMeasures(NamedTuple):
    """What each head does, (L, H) each, the mean over its queries.

    Attributes:
        on_itself: the weight on the word itself.
        before: that on the word before it.
        after: that on the word after it.
        distance: how many words away the weight lies.
        entropy: in nats: 0 where all weight is on one word, log T where every word has the same.
    """

    on_itself: NDArray[np.float32]
    before: NDArray[np.float32]
    after: NDArray[np.float32]
    distance: NDArray[np.float32]
    entropy: NDArray[np.float32]


def head_measures(heads: NDArray[np.float32]) -> HeadMeasures:
    """Return what each head of (L, H, T, T) does."""
    length = heads.shape[-1]
    positions = np.arange(length)
    queries = max(length, 1)
    entropies = -heads * np.log(heads, out=np.zeros_like(heads), where=heads > 0)
    itself, before, after = (
        np.diagonal(heads, offset, axis1=2, axis2=3).sum(axis=-1) / queries for offset in (0, -1, 1)
    )
    return HeadMeasures(
        on_itself=itself,
        before=before,
        after=after,
        distance=(heads * np.abs(positions[:, None] - positions)).sum(axis=(2, 3)) / queries,
        entropy=entropies.sum(axis=(2, 3)) / queries,
    )
