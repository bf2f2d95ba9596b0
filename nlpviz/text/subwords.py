"""Byte pair encoding: frequent words stay whole, rare ones become sequences of pieces.

Sennrich, Haddow and Birch (2016), *Neural Machine Translation of Rare Words with Subword Units*, algorithm 1: every
word begins as its characters, and the pair of neighbours that is most frequent in the training texts is merged, again
and again. The paper marks the last piece of a word; here a piece that is continued ends with :data:`GOES_ON`, so that
``["spazier￭￭", "gang"]`` is one word and whole words look as they always did. A joiner belongs to the sign next to it.
Learnt over the words of two languages together, both share their pieces (section 3.2).
"""

from __future__ import annotations

import heapq
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

from nlpviz.text.parallel import EOS, GOES_ON, JOINER

Pair = tuple[str, str]
LONGEST = 64
"""Characters of a word that are merged at most: a longer word is cut there first, or it would take long."""
_LEAST = 2
"""A pair that occurs less often is not merged."""


class Subwords:
    """Merges, in the order in which they were learnt, and the pieces that they make of words."""

    def __init__(self, merges: Iterable[Pair]) -> None:
        """Take ``merges`` of two neighbours each, the first one learnt first."""
        self.merges = tuple(merges)
        self._ranks = {pair: rank for rank, pair in enumerate(self.merges)}
        self._merged = lru_cache(maxsize=1 << 16)(self._merge_word)

    def pieces(self, words: Iterable[str]) -> list[str]:
        """Return the pieces of ``words``, one word after the other; the sentence boundary stays as it is."""
        return [piece for word in words for piece in self.pieces_of(word)]

    def pieces_of(self, word: str) -> tuple[str, ...]:
        """Return the pieces of one word."""
        return (word,) if word == EOS else self._merged(word)

    def _merge_word(self, word: str) -> tuple[str, ...]:
        """Apply the merge that was learnt first of all that apply, until none does."""
        signs, pieces = signs_of(word), []
        for first in range(0, len(signs), LONGEST):
            part = signs[first : first + LONGEST]
            while len(part) > 1:
                best = min(pairwise(part), key=lambda pair: self._ranks.get(pair, len(self.merges)))
                if best not in self._ranks:
                    break
                part = merged(part, best)
            pieces += part
        return tuple(pieces)

    def as_text(self) -> str:
        """Return one merge a line, its two pieces with a space between them, the first one learnt first."""
        return "".join(f"{left} {right}\n" for left, right in self.merges)

    @classmethod
    def of_text(cls, text: str) -> Subwords:
        """Return what :meth:`as_text` wrote.

        Raises:
            ValueError: if a line is not two pieces, the first of which goes on.
        """
        lines = [line.split(" ") for line in text.removesuffix("\n").split("\n") if line]
        if any(len(line) != 2 or not line[0].endswith(GOES_ON) for line in lines):
            raise ValueError(f"each line must contain one merge of two subwords, the first ending with {GOES_ON}")
        return cls((left, right) for left, right in lines)


def signs_of(word: str) -> list[str]:
    """Return the characters of ``word``, joiners with the character next to them; all but the last one go on."""
    signs = list(word.strip(JOINER))
    signs[0] = JOINER * word.startswith(JOINER) + signs[0]
    signs[-1] += JOINER * word.endswith(JOINER)
    return [*(sign + GOES_ON for sign in signs[:-1]), signs[-1]]


def merged(pieces: Sequence[str], pair: Pair) -> list[str]:
    """Return ``pieces`` with each occurrence of ``pair``, from the left, made one piece."""
    result: list[str] = []
    position = 0
    while position < len(pieces):
        both = position + 1 < len(pieces) and pieces[position] == pair[0] and pieces[position + 1] == pair[1]
        result.append(one_piece(pair) if both else pieces[position])
        position += 1 + both
    return result


def one_piece(pair: Pair) -> str:
    """Return what a merge makes of its two pieces."""
    return pair[0].removesuffix(GOES_ON) + pair[1]


def learn(words: Mapping[str, int], merges: int) -> Subwords:
    """Return at most ``merges`` merges learnt from ``words`` with their frequencies.

    Of pairs that are equally frequent the first one by the alphabet is merged, so that the order of the words changes
    nothing.
    """
    neighbours = _Neighbours(words)
    queue = [(-count, pair) for pair, count in neighbours.counts.items()]
    heapq.heapify(queue)
    learnt: list[Pair] = []
    while queue and len(learnt) < merges:
        count, best = heapq.heappop(queue)
        if -count != neighbours.counts[best]:
            continue  # its frequency has changed since: it is in the queue with that as well
        if -count < _LEAST:
            break
        learnt.append(best)
        for pair in neighbours.merge(best):
            heapq.heappush(queue, (-neighbours.counts[pair], pair))
    return Subwords(learnt)


class _Neighbours:
    """Words as they are cut so far, and how often each pair of neighbours occurs in them."""

    def __init__(self, words: Mapping[str, int]) -> None:
        """Cut ``words``, which come with their frequencies, into characters."""
        self._texts, self._frequencies = [signs_of(word) for word in words], list(words.values())
        self._where: defaultdict[Pair, set[int]] = defaultdict(set)  # the words in which a pair occurs, or once did
        self.counts: Counter[Pair] = Counter()
        for number, (pieces, frequency) in enumerate(zip(self._texts, self._frequencies, strict=True)):
            for pair in pairwise(pieces):
                self.counts[pair] += frequency
                self._where[pair].add(number)

    def merge(self, merge: Pair) -> list[Pair]:
        """Make one piece of a pair wherever it occurs; return the pairs whose frequency that changes."""
        changes: defaultdict[Pair, int] = defaultdict(int)
        for number in self._where.pop(merge):
            before, after = self._texts[number], merged(self._texts[number], merge)
            if len(after) == len(before):
                continue
            for pair in pairwise(before):
                changes[pair] -= self._frequencies[number]
            for pair in pairwise(after):
                changes[pair] += self._frequencies[number]
                self._where[pair].add(number)
            self._texts[number] = after
        changed = [pair for pair, change in changes.items() if change]
        for pair in changed:
            self.counts[pair] += changes[pair]
        return changed


def piece_counts(subwords: Subwords, texts: Iterable[Sequence[str]]) -> Counter[str]:
    """Return how often each piece occurs in ``texts``, sequences of words; pieces within others may occur never.

    They are the characters of the texts and all that the merges make, so that no word of these characters has an
    unknown piece.
    """
    words = Counter(word for text in texts for word in text)
    counts = Counter(dict.fromkeys(map(one_piece, subwords.merges), 0))
    for word, count in words.items():
        counts.update(dict.fromkeys(() if word == EOS else signs_of(word), 0))
        for piece in subwords.pieces_of(word):
            counts[piece] += count
    return counts


def whole_words(pieces: Iterable[str]) -> list[str]:
    """Return the words that ``pieces`` spell; the last one may break off."""
    words, begun = [], ""
    for piece in pieces:
        if piece == EOS and begun:
            words.append(begun)
            begun = ""
        begun += piece.removesuffix(GOES_ON)
        if not piece.endswith(GOES_ON):
            words.append(begun)
            begun = ""
    return [*words, begun] if begun else words
