"""The weights of a linear classifier over n-grams, small enough to keep: what each adds to the log-odds of a class.

An n-gram is known by a hash, as in :mod:`nlpviz.results.ngram_counts`: the texts cannot be put together again. One that
has no weight meets a foreign hash once in :data:`SPACING` times.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlpviz.results.ngram_counts import hashes_of, narrow, windows_of
from nlpviz.text.vocabulary import tokenize

SPACING = 1 << 16


class WeighedText(NamedTuple):
    """A text's log-odds in each regression, (R,); how many tokens it has, and how many of these have no weight."""

    scores: NDArray[np.float64]
    tokens: int
    unknown: int


class WeighedNgram(NamedTuple):
    """An n-gram and what it adds to the log-odds of a class."""

    ngram: str
    weight: float

    @property
    def size(self) -> int:
        """Its words."""
        return self.ngram.count(" ") + 1


@dataclass(frozen=True)
class NgramWeights:
    """Weights of F n-grams in R regressions: one for two classes, else one a class against the rest.

    Attributes:
        longest: words in an n-gram, at most.
        space: hashes are below it.
        hashes: uint64 (F,), ascending; uint32 where the space allows it.
        weights: float32 (R, F), log-odds.
        biases: float64 (R,), log-odds.
    """

    longest: int
    space: int
    hashes: NDArray[np.unsignedinteger]
    weights: NDArray[np.float32]
    biases: NDArray[np.float64]

    def __post_init__(self) -> None:
        """Make the arrays read-only; refuse weights that do not match the hashes."""
        if self.weights.shape != (len(self.biases), len(self.hashes)):
            raise ValueError("each n-gram needs one weight per regression")
        for array in (self.hashes, self.weights, self.biases):
            array.setflags(write=False)

    @classmethod
    def of(
        cls, ngrams: Sequence[str], weights: NDArray[np.floating], biases: NDArray[np.floating], longest: int
    ) -> NgramWeights:
        """Return the weights by hash; of two n-grams with one hash, which is rare, the first counts.

        Args:
            ngrams: F of them, their words parted by a blank.
            weights: (R, F).
            biases: (R,).
            longest: words in one of them, at most.
        """
        space = max(SPACING * len(ngrams), 1)
        keys = np.zeros(len(ngrams), np.uint64)
        sizes = np.array([ngram.count(" ") + 1 for ngram in ngrams], int)
        for size in np.unique(sizes):
            here = np.flatnonzero(sizes == size)
            words = " ".join(ngrams[at] for at in here.tolist()).split(" ")
            keys[here] = windows_of(_hashed(words), int(size))[::size]
        hashes, first = np.unique(keys % np.uint64(space), return_index=True)
        return cls(
            longest,
            space,
            hashes.astype(narrow(space)),
            weights[:, first].astype(np.float32),
            biases.astype(np.float64),
        )

    def probabilities(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """Return the probabilities of the classes for each text, (N, K); of more than two, scaled to one in sum."""
        return self.shares([self.weigh(text).scores for text in texts])

    def shares(self, scores: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
        """Return the probabilities of the classes, (N, K), by the log-odds of N texts, each (R,)."""
        half = np.array(scores, np.float64).reshape(len(scores), len(self.biases)) / 2
        own = 0.5 * (1 + np.tanh(half))  # the logistic function, which does not overflow so
        if len(self.biases) == 1:
            return np.concatenate([0.5 * (1 - np.tanh(half)), own], axis=1)
        return np.asarray(own / own.sum(axis=1, keepdims=True))

    def weigh(self, text: str) -> WeighedText:
        """Return what the n-grams of a text add up to: each counts once."""
        words = _hashed([token.word for token in tokenize(text)])
        keys = [windows_of(words, size) for size in range(1, self.longest + 1)]
        known = self._known(np.unique(np.concatenate(keys) % np.uint64(self.space)))
        scores = np.asarray(self.biases + self.weights[:, known].sum(axis=1, dtype=np.float64))
        alone = keys[0] % np.uint64(self.space)
        return WeighedText(scores, len(words), len(words) - len(self._known(alone)))

    def of_words(self, words: Sequence[str], regression: int) -> NDArray[np.float32]:
        """Return the weight of each of ``words`` by itself, (T,); 0 for one that has none."""
        places, known = self._places(windows_of(_hashed(words), 1) % np.uint64(self.space))
        if not len(self.hashes):
            return np.zeros(len(words), dtype=np.float32)
        return np.where(known, self.weights[regression, places], 0).astype(np.float32)

    def terms(self, text: str, regression: int) -> list[WeighedNgram]:
        """Return the n-grams of a text that have a weight, each once in the order of the text, shorter ones first.

        With the bias their weights are the log-odds that :meth:`weigh` returns.

        Args:
            text: anything.
            regression: the row of the weights; 0 for two classes.
        """
        words = [token.word for token in tokenize(text)]
        hashes = _hashed(words)
        keys = [windows_of(hashes, size) % np.uint64(self.space) for size in range(1, self.longest + 1)]
        spans = [(start, start + size) for size, row in enumerate(keys, start=1) for start in range(len(row))]
        different, first = np.unique(np.concatenate(keys), return_index=True)
        places, known = self._places(different)
        order = np.argsort(first[known])
        weights = self.weights[regression, places[known][order]].tolist()
        return [
            WeighedNgram(" ".join(words[slice(*spans[at])]), weight)
            for at, weight in zip(first[known][order].tolist(), weights, strict=True)
        ]

    def _known(self, wanted: NDArray[np.uint64]) -> NDArray[np.intp]:
        """Return where those of the ``wanted`` hashes are that have a weight."""
        places, known = self._places(wanted)
        return np.asarray(places[known])

    def _places(self, wanted: NDArray[np.uint64]) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
        """Return where each of the ``wanted`` hashes would be, and whether it is there and has a weight."""
        if not len(self.hashes):
            return np.zeros(len(wanted), np.intp), np.zeros(len(wanted), bool)
        wanted = wanted.astype(self.hashes.dtype)
        places = np.searchsorted(self.hashes, wanted).clip(max=len(self.hashes) - 1)
        return places, np.asarray(self.hashes[places] == wanted)


def _hashed(words: Sequence[str]) -> NDArray[np.uint64]:
    """Return 64 bits for each of many words, some of them equal."""
    numbers: dict[str, int] = {}
    places = np.fromiter((numbers.setdefault(word, len(numbers)) for word in words), np.int64, len(words))
    return hashes_of(list(numbers))[places]
