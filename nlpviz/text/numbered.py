"""Tokenized texts as numbers: every word that stands in them, listed once, and for each token the number of its word.

From this, any vocabulary's ids are looked up without reading a text again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nlpviz.text.vocabulary import Vocabulary


@dataclass(frozen=True, eq=False)
class NumberedTexts:
    """N texts with T tokens in all, of W words.

    Attributes:
        words: W of them, the commonest first, words of equal frequency in alphabetical order.
        ids: uint32 (T,), the number of each token's word, text after text.
        lengths: int64 (N,), tokens of each text.
    """

    words: Sequence[str]
    ids: NDArray[np.uint32]
    lengths: NDArray[np.int64]

    @classmethod
    def of(cls, texts: Iterable[Iterable[str]]) -> NumberedTexts:
        """Return the numbers of ``texts``, each as its words; one text at a time is in memory."""
        numbers: dict[str, int] = {}
        lengths: list[int] = []

        def first_seen() -> Iterator[int]:
            for text in texts:
                words = list(text)
                lengths.append(len(words))
                for word in words:
                    yield numbers.setdefault(word, len(numbers))

        ids = np.fromiter(first_seen(), dtype=np.uint32)
        return cls._ranked(list(numbers), ids, np.array(lengths, dtype=np.int64))

    @classmethod
    def together(cls, parts: Sequence[NumberedTexts]) -> NumberedTexts:
        """Return the texts of all ``parts``, one part after the other."""
        numbers: dict[str, int] = {}
        ids = []
        for part in parts:
            there = [numbers.setdefault(word, len(numbers)) for word in part.words]
            ids.append(np.array(there, dtype=np.uint32)[part.ids])
        return cls._ranked(list(numbers), np.concatenate(ids), np.concatenate([part.lengths for part in parts]))

    @classmethod
    def _ranked(cls, words: Sequence[str], ids: NDArray[np.uint32], lengths: NDArray[np.int64]) -> NumberedTexts:
        """Return texts with ``words`` brought into their order, without those that no token is of."""
        counts = np.bincount(ids, minlength=len(words)).tolist()
        order = sorted(
            filter(counts.__getitem__, range(len(words))), key=lambda number: (-counts[number], words[number])
        )
        ranks = np.zeros(len(words), dtype=np.uint32)
        ranks[order] = np.arange(len(order), dtype=np.uint32)
        return cls([words[number] for number in order], ranks[ids], lengths)

    @property
    def counts(self) -> Mapping[str, int]:
        """How often each word stands in the texts."""
        counts = np.bincount(self.ids, minlength=len(self.words))
        return dict(zip(self.words, counts.tolist(), strict=True))

    @property
    def ends(self) -> NDArray[np.int64]:
        """The place after the last token of each text, (N,)."""
        return np.cumsum(self.lengths)

    def each(self) -> Iterator[list[str]]:
        """Yield the words of each text."""
        starts = self.ends - self.lengths
        for start, end in zip(starts.tolist(), self.ends.tolist(), strict=True):
            yield [self.words[number] for number in self.ids[start:end]]

    def vocabulary(self, size: int) -> Vocabulary:
        """Return what :meth:`Vocabulary.count` returns of the same texts."""
        return Vocabulary.ranked(self.counts, size)

    def ids_in(self, vocabulary: Vocabulary) -> NDArray[np.int64]:
        """Return the id that ``vocabulary`` has for each token, (T,)."""
        return vocabulary.ids(self.words)[self.ids]

    def take(self, texts: NDArray[np.integer]) -> NumberedTexts:
        """Return the texts at some positions, in the order of these."""
        return self._of_parts((self.ends - self.lengths)[texts], self.lengths[texts])

    def cut(self, most: int) -> NumberedTexts:
        """Return the texts with at most ``most`` tokens each, the first ones."""
        return self._of_parts(self.ends - self.lengths, np.minimum(self.lengths, most))

    def _of_parts(self, begins: NDArray[np.int64], lengths: NDArray[np.int64]) -> NumberedTexts:
        """Return the texts that begin at some tokens (N,), each of so many tokens (N,)."""
        shifts = begins - (np.cumsum(lengths) - lengths)
        places = np.arange(lengths.sum()) + np.repeat(shifts, lengths)
        return self._ranked(self.words, self.ids[places], lengths)

    def ended(self, mark: str) -> NumberedTexts:
        """Return the texts with the token ``mark`` after the last one of each."""
        words = list(dict.fromkeys([*self.words, mark]))
        return self._ranked(words, np.insert(self.ids, self.ends, words.index(mark)), self.lengths + 1)
