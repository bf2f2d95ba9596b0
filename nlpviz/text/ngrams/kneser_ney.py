"""Interpolated modified Kneser-Ney smoothing: what follows a context, by counting.

Chen and Goodman (1999), *An empirical study of smoothing techniques for language modeling*, section 3; Kneser and Ney
(1995); 003, "N-gram language models". The longest n-grams have raw counts and shorter ones continuation counts; one,
two, three and more occurrences have a discount each, and what is discounted goes to the words that the context without
its first word says. Below the single words stands the uniform distribution, so that every word has a probability.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlpviz.text.ngrams.bits import Integers
from nlpviz.text.ngrams.trie import Followers, NgramTrie

DISCOUNTED = (1, 2, 3)
"""Counts with a discount of their own; the last stands for all larger ones."""


class Discounts(NamedTuple):
    """What is taken off the counts of one length of n-grams: one, two, three and more."""

    one: float
    two: float
    more: float

    def of(self, counts: Integers) -> NDArray[np.float64]:
        """Return the discount of each of ``counts``, any shape; 0 of 0."""
        return np.array([0.0, *self])[np.minimum(counts, 3)]


def discounts(counts: Integers) -> Discounts:
    """Return the discounts that the counts of counts n_1 to n_4 suggest (Chen and Goodman 1999, equation 26).

    D_k = k − (k + 1) Y n_{k+1} / n_k with Y = n_1 / (n_1 + 2 n_2). Where a text has no n-gram that occurs k times, no
    count is k, and nothing is taken off. Where none occurs once, nothing says how many more there are, and no count is
    discounted: WikiText-2 has no word that occurs once or twice. No discount is below zero.
    """
    n = [int((counts == times).sum()) for times in (1, 2, 3, 4)]
    if not n[0]:
        return Discounts(0.0, 0.0, 0.0)
    y = n[0] / (n[0] + 2 * n[1])
    return Discounts(*(max(k - (k + 1) * y * n[k] / n[k - 1], 0.0) if n[k - 1] else 0.0 for k in DISCOUNTED))


class KneserNey:
    """A language model that counts n-grams of up to ``order`` words.

    Attributes:
        trie: the counts.
        order: N, at most the trie's.
        predicted: the ids that are words, (V,): the others have no probability.
        discounts: of the n-grams of each length, the shortest first.
        formula: the probability in TeX, a line each.
    """

    formula = (
        r"p(w \mid h) = \frac{\max(c(hw) - D_{c(hw)},\, 0)}{\sum_v c(hv)} + \gamma(h)\,p(w \mid h')",
        r"\gamma(h) = \frac{\sum_{v : c(hv) > 0} D_{c(hv)}}{\sum_v c(hv)}, \qquad h = u\,h'",
    )

    def __init__(
        self, trie: NgramTrie, order: int, never: Sequence[int], known: Sequence[Sequence[float]] | None = None
    ) -> None:
        """Smooth the counts of a trie.

        Args:
            trie: of a text.
            order: N.
            never: the ids that are no words, padding for example.
            known: the discounts where they were computed before; None counts the counts of counts.

        Raises:
            ValueError: if the trie holds no n-grams of that length.
        """
        if not 1 <= order <= trie.order:
            raise ValueError(f"the order must be between 1 and {trie.order}, not {order}")
        self.trie, self.order = trie, order
        self.predicted = np.ones(trie.size, dtype=bool)
        self.predicted[list(never)] = False
        self.discounts = (
            tuple(Discounts(*three) for three in known)
            if known is not None
            else tuple(discounts(self._all_counts(length)) for length in range(1, order + 1))
        )
        self._unigrams = self._of_unigrams()

    def distribution(self, context: Integers) -> NDArray[np.float64]:
        """Return the probability of every id, (V,), after the last N - 1 words of ``context`` (T,)."""
        result = self._unigrams
        for followers, taken in self._levels(self.contexts(context)):
            total = followers.counts.sum()
            off = taken.of(followers.counts)
            result = result * (off.sum() / total)
            result[followers.words] += (followers.counts - off) / total
        return result

    def contexts(self, context: Integers) -> list[int]:
        """Return the nodes of a context's last word, last two words and so on, as far as they occur."""
        last = np.asarray(context[max(len(context) - self.order + 1, 0) :], dtype=np.int64)
        found = [int(nodes[-1]) for nodes in self.trie.nodes(last, self.order - 1)] if len(last) else []
        return found[: found.index(-1)] if -1 in found else found

    def probabilities(self, text: Integers, before: Integers | None = None) -> NDArray[np.float64]:
        """Return the probability of each word of ``text`` (T,) after those before it.

        Args:
            text: ids.
            before: words that stand before it.
        """
        before = np.empty(0, dtype=np.int64) if before is None else before[max(len(before) - self.order + 1, 0) :]
        skipped = len(before)
        text = np.concatenate([before, text]).astype(np.int64)
        ending = self.trie.nodes(text, self.order)
        result = self._unigrams[text]
        for length in range(2, self.order + 1):
            contexts = np.concatenate([[-1], ending[length - 2][:-1]])
            there = np.flatnonzero(contexts >= 0)
            result[there] = self._interpolated(length, contexts[there], ending[length - 1][there], result[there])
        return np.asarray(result[skipped:])

    def _interpolated(
        self, length: int, contexts: Integers, nodes: Integers, shorter: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Return the probabilities by n-grams of ``length`` words, given those by ``shorter`` ones.

        Args:
            length: n.
            contexts: the node of each context of n - 1 words, (M,).
            nodes: that of each n-gram, -1 where it does not occur, (M,).
            shorter: (M,).
        """
        raw, taken = length == self.order, self.discounts[length - 1]
        unique, which = np.unique(contexts, return_inverse=True)
        begins, ends = self.trie.levels[length - 2].children(unique)
        sizes = ends - begins
        owner = np.repeat(np.arange(len(unique)), sizes)
        children = np.arange(len(owner)) - np.repeat(np.cumsum(sizes) - sizes - begins, sizes)
        counts = self.trie.counts(length, children, raw=raw)
        totals = np.bincount(owner, counts, len(unique))
        backed_off = np.bincount(owner, taken.of(counts), len(unique))
        # What stands at the very end of the text is followed by nothing, what begins it follows after nothing.
        known = totals > 0
        weight = np.divide(backed_off, totals, out=np.ones(len(unique)), where=known)
        own = np.zeros(len(nodes))
        found = (nodes >= 0) & known[which]
        occurred = self.trie.counts(length, nodes[found], raw=raw)
        own[found] = (occurred - taken.of(occurred)) / totals[which[found]]
        result: NDArray[np.float64] = own + weight[which] * shorter
        return result

    def _levels(self, contexts: list[int]) -> list[tuple[Followers, Discounts]]:
        """Return what follows ever longer contexts, with what is taken off the counts."""
        result = []
        for length in range(2, len(contexts) + 2):
            followers = self.trie.followers(contexts[: length - 1], raw=length == self.order)
            if followers.counts.any():  # what follows the beginning of the text alone follows after no word
                result.append((followers, self.discounts[length - 1]))
        return result

    def _all_counts(self, length: int) -> NDArray[np.int64]:
        """Return the counts of all n-grams of ``length`` words, unpacked: an eighth of the time of looking up."""
        if length == self.order < self.trie.order:
            return self.trie.raw[length - 1]
        return self.trie.levels[length - 2].counts.unpack() if length > 1 else self.trie.unigrams.astype(np.int64)

    def _of_unigrams(self) -> NDArray[np.float64]:
        """Return the distribution without a context, over the uniform one, (V,)."""
        counts = self.trie.counts(1, np.arange(self.trie.size), raw=self.order == 1)
        off = self.discounts[0].of(counts)
        uniform = self.predicted / self.predicted.sum()
        return np.asarray((counts - off) / counts.sum() + off.sum() / counts.sum() * uniform)
