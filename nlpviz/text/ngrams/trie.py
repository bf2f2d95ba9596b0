"""All n-grams of a text up to an order, with their counts: a trie whose levels are rows of bits and small numbers.

A node of level n is an n-gram; its children are the words that follow it. A level lists its nodes parent by parent, so
that a bit a node, set at a parent's last child, says whose child it is (Jacobson 1989). A word is written as its place
among the words that follow the context without its first word, which are few where a context is long (Pibiri and
Venturini 2017, *Efficient Data Structures for Massive N-Gram Datasets*, section 3.2): a byte is nearly always enough.

Counts are of two kinds. A raw count is how often an n-gram occurs. A continuation count, of an n-gram shorter than the
longest, is after how many different words it occurs (Kneser and Ney 1995).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlpviz.text.ngrams.bits import Bits, Integers, Sparse

_BYTE = 256


@dataclass(frozen=True)
class TrieLevel:
    """The n-grams of one length above 1.

    Attributes:
        low: the last byte of each node's place among the followers of its shorter context, uint8 (N,).
        high: what that place is beyond 256, (N,).
        last: whether a node is its parent's last child.
        counts: raw counts where the n-grams are the longest, continuation counts else.
        childless: the nodes of the level before that have no children, ascending.
    """

    low: NDArray[np.uint8]
    high: Sparse
    last: Bits
    counts: Sparse
    childless: Integers

    def __len__(self) -> int:
        """Return the number of n-grams, N."""
        return len(self.low)

    def children(self, parents: Integers) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return where the children of ``parents`` (M,), nodes of the level before, begin and end."""
        number = np.searchsorted(self.childless, parents)  # childless ones before it
        barren = number < len(self.childless)
        barren[barren] = self.childless[number[barren]] == parents[barren]
        position = parents - number  # among those that have children
        ends = np.zeros(len(parents), dtype=np.int64)
        begins = np.zeros(len(parents), dtype=np.int64)
        first, others = ~barren & (position == 0), ~barren & (position > 0)
        ends[~barren] = self.last.select(position[~barren]) + 1
        begins[first], begins[others] = 0, self.last.select(position[others] - 1) + 1
        return begins, ends

    def places(self, nodes: Integers) -> NDArray[np.int64]:
        """Return the place of each of ``nodes`` (M,) among the followers of its shorter context."""
        return self.low[nodes] + _BYTE * self.high.at(nodes)

    def find(self, begins: Integers, ends: Integers, places: Integers) -> NDArray[np.int64]:
        """Return the node with each of ``places`` (M,) among the children from ``begins`` to ``ends``; -1 for none."""
        low, high = begins.astype(np.int64), ends.astype(np.int64)
        while (searching := low < high).any():
            middle = (low + high) // 2
            below = np.zeros(len(low), dtype=bool)
            below[searching] = self.places(middle[searching]) < places[searching]
            low, high = np.where(searching & below, middle + 1, low), np.where(searching & ~below, middle, high)
        found = low < ends
        found[found] = self.places(low[found]) == places[found]
        return np.where(found, low, -1)


class Followers(NamedTuple):
    """The words that follow a context: ids ascending (K,), and the counts of the n-grams that they end (K,)."""

    words: NDArray[np.int64]
    counts: NDArray[np.int64]


@dataclass(frozen=True)
class NgramTrie:
    """The n-grams of a text, 1 to N words long.

    Attributes:
        unigrams: continuation counts of the V ids, (V,); raw ones where N is 1.
        levels: of the n-grams of 2 to N words.
        ends: the node of the text's last n words, for n from 1 to N - 1: it is followed by nothing there.
    """

    unigrams: Integers
    levels: tuple[TrieLevel, ...]
    ends: tuple[int, ...]

    @property
    def order(self) -> int:
        """N, the length of the longest n-grams."""
        return len(self.levels) + 1

    @property
    def size(self) -> int:
        """V, the number of ids."""
        return len(self.unigrams)

    def __len__(self) -> int:
        """Return the number of n-grams of all lengths that occur."""
        return int((self.raw[0] > 0).sum()) + sum(len(level) for level in self.levels)

    @cached_property
    def raw(self) -> tuple[NDArray[np.int64], ...]:
        """How often each n-gram occurs, for n from 1 to N: summed up from the longest ones."""
        if not self.levels:
            return (np.asarray(self.unigrams, dtype=np.int64),)
        counts = [self.levels[-1].counts.unpack()]
        sizes = [self.size, *map(len, self.levels)]
        for length in range(self.order - 1, 0, -1):
            level = self.levels[length - 1]
            starts = np.flatnonzero(np.concatenate([[True], level.last.unpack()[:-1]]))
            above = np.zeros(sizes[length - 1], dtype=np.int64)
            fertile = np.ones(len(above), dtype=bool)
            fertile[level.childless] = False
            above[fertile] = np.add.reduceat(counts[0], starts)
            above[self.ends[length - 1]] += 1
            counts.insert(0, above)
        return tuple(counts)

    def counts(self, length: int, nodes: Integers, *, raw: bool) -> NDArray[np.int64]:
        """Return the counts of ``nodes`` (M,) of n-grams of ``length`` words: ``raw`` ones or continuation counts."""
        if raw and length < self.order:
            return self.raw[length - 1][nodes]
        return (
            np.asarray(self.unigrams[nodes], dtype=np.int64)
            if length == 1
            else self.levels[length - 2].counts.at(nodes)
        )

    def nodes(self, text: Integers, order: int) -> list[NDArray[np.int64]]:
        """Return for each n from 1 to ``order`` the node of the n words that end at each place of ``text`` (T,).

        It is -1 where they do not occur in the text that was counted, or stand partly before the first word.
        """
        result = [np.asarray(text, dtype=np.int64)]
        places = result[0]  # among the followers of ever longer contexts
        for level in self.levels[: order - 1]:
            contexts = np.concatenate([[-1], result[-1][:-1]])
            known = (contexts >= 0) & (places >= 0)
            nodes, begins = np.full(len(text), -1, dtype=np.int64), np.zeros(len(text), dtype=np.int64)
            begins[known], ends = level.children(contexts[known])
            nodes[known] = level.find(begins[known], ends, places[known])
            places = np.where(nodes >= 0, nodes - begins, -1)
            result.append(nodes)
        return result

    def followers(self, contexts: list[int], *, raw: bool) -> Followers:
        """Return the words that follow a context and the counts of what they end.

        Args:
            contexts: the nodes of its last word, its last two words and so on to all of them.
            raw: whether raw counts are asked for.
        """
        words = np.arange(self.size)
        nodes = words
        for level, context in zip(self.levels, contexts, strict=False):
            (begin,), (end,) = level.children(np.array([context]))
            nodes = np.arange(begin, end)
            words = words[level.places(nodes)]
        return Followers(words, self.counts(len(contexts) + 1, nodes, raw=raw))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return what the trie is made of, by name."""
        result: dict[str, NDArray[Any]] = {"unigrams": self.unigrams, "ends": np.array(self.ends, dtype=np.int64)}
        for length, level in enumerate(self.levels, start=2):
            result |= {
                f"{length}.low": level.low,
                f"{length}.high.others": level.high.others.packed,
                f"{length}.high.values": level.high.values,
                f"{length}.last": level.last.packed,
                f"{length}.counts.others": level.counts.others.packed,
                f"{length}.counts.values": level.counts.values,
                f"{length}.childless": level.childless,
            }
        return result

    @classmethod
    def of_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> NgramTrie:
        """Return the trie that :meth:`arrays` took apart; it holds the arrays themselves.

        Raises:
            KeyError: if one is missing.
        """
        levels: list[TrieLevel] = []
        while f"{len(levels) + 2}.low" in arrays:
            name, count = f"{len(levels) + 2}", len(arrays[f"{len(levels) + 2}.low"])
            levels.append(
                TrieLevel(
                    low=arrays[f"{name}.low"],
                    high=Sparse(Bits(arrays[f"{name}.high.others"], count), arrays[f"{name}.high.values"], 0),
                    last=Bits(arrays[f"{name}.last"], count),
                    counts=Sparse(Bits(arrays[f"{name}.counts.others"], count), arrays[f"{name}.counts.values"], 1),
                    childless=arrays[f"{name}.childless"],
                )
            )
        return cls(arrays["unigrams"], tuple(levels), tuple(arrays["ends"].tolist()))


def count(text: Integers, size: int, order: int) -> NgramTrie:
    """Return the n-grams of ``text`` (T,), ids below ``size``, of 1 to ``order`` words: sorted, without a dictionary.

    Raises:
        ValueError: if the text has no words, or the order is below 1.
    """
    if order < 1 or not len(text):
        raise ValueError("n-grams can be counted only in a non-empty text and with an order of at least 1")
    text = np.asarray(text, dtype=np.int64)
    ending, tables = [text], []  # nodes of the n words that end at each place from n - 1 on; parent and word of a node
    for length in range(2, order + 1):
        keys = ending[-1][:-1] * size + text[length - 1 :]
        found, nodes = np.unique(keys, return_inverse=True)
        tables.append(np.divmod(found, size))
        ending.append(nodes)
    levels: list[TrieLevel] = []
    unigrams = np.bincount(text, minlength=size)
    below = np.arange(size)  # of each node of the level before: its place among its parent's children
    for length, (parents, _) in enumerate(tables, start=2):
        nodes, shorter = ending[length - 1], ending[length - 2][1:]
        suffix = np.empty(len(parents), dtype=np.int64)
        suffix[nodes] = shorter  # the node of an n-gram without its first word
        continuations = np.bincount(suffix, minlength=len(below))
        if length == 2:
            unigrams = continuations
        else:
            levels[-1] = _with_counts(levels[-1], continuations)
        places = below[suffix]
        last = np.concatenate([parents[1:] != parents[:-1], [True]])
        childless = np.ones(len(below), dtype=bool)
        childless[parents] = False
        levels.append(
            TrieLevel(
                low=(places % _BYTE).astype(np.uint8),
                high=Sparse.pack(places // _BYTE, 0),
                last=Bits.pack(last),
                counts=Sparse.pack(np.bincount(nodes), 1),
                childless=np.flatnonzero(childless),
            )
        )
        starts = np.flatnonzero(np.concatenate([[True], last[:-1]]))
        below = np.arange(len(parents)) - np.repeat(starts, np.diff(np.append(starts, len(parents))))
    smallest = np.min_scalar_type(int(unigrams.max()))
    return NgramTrie(unigrams.astype(smallest), tuple(levels), tuple(int(nodes[-1]) for nodes in ending[: order - 1]))


def _with_counts(level: TrieLevel, counts: Integers) -> TrieLevel:
    return TrieLevel(level.low, level.high, level.last, Sparse.pack(counts, 1), level.childless)
