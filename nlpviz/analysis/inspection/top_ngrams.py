"""The top n-grams: those that affect a class score most, over a split's documents (Johnson and Zhang 2015, 3.6)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlpviz.analysis.inspection.split import Split, Taken, ids_of, ngram_of, rated_shares
from nlpviz.results.ngram_counts import NgramCounts
from nlpviz.results.survey import UNCOUNTED, RankedNgram
from nlpviz.text.vocabulary import PAD, UNKNOWN, Vocabulary

SUPPORTS = (3, 10, 30, 100)
"""The strongest n-grams of at least so many documents are kept, for each of these numbers."""
KEPT = 60


def top_ngrams(
    taken: Sequence[Taken],
    split: Split,
    vocabulary: Vocabulary,
    counts: NgramCounts | None,
    targets: Sequence[int] = (1,),
) -> dict[int, tuple[RankedNgram, ...]]:
    """Return for each class of ``targets`` the n-grams that affect its score most, for it and against it, of each size.

    For each of :data:`SUPPORTS` the :data:`KEPT` strongest each way, as many of those that never stood in the training
    texts, and as many by what they contribute to all documents together; where several classes are asked for, a third
    of that.
    """
    rows: dict[int, list[RankedNgram]] = {target: [] for target in targets}
    most = KEPT if len(targets) == 1 else KEPT // 3
    for branch in taken:
        answered = _Answered.of(branch)
        seen = _seen(answered.distinct, branch.size, vocabulary, counts)
        for target in targets:
            result = _grouped(answered, branch.weights[target], len(vocabulary))
            chosen = _chosen(result, seen[result.groups], most)
            rated = rated_shares(split, result.keys[chosen], branch.size, len(vocabulary))
            for position, share in zip(chosen, rated.tolist(), strict=True):
                said = result.contributions[position]
                own, sums = result.own(position)
                right = (split.labels[own] == target) == (said > 0)
                rows[target].append(
                    RankedNgram(
                        size=branch.size,
                        ngram=ngram_of(int(result.keys[position]), branch.size, vocabulary),
                        contribution=float(said),
                        support=len(own),
                        precision=float(right.mean()),
                        seen=int(seen[result.groups[position]]),
                        example=split.names[int(own[(np.sign(said) * sums).argmax()])],
                        rated=share,
                    )
                )
    return {target: tuple(sorted(own, key=lambda row: -row.contribution)) for target, own in rows.items()}


class _Answered(NamedTuple):
    """The A entries of a branch's embeddings that answer anything, by n-gram, then by document.

    Attributes:
        filters: (A,), which entry of the embedding each is.
        activations: (A,).
        starts: where each n-gram in each document begins, (B,).
        documents: (B,), the document.
        distinct: the keys of the G n-grams, ascending.
        first: (G,), where each n-gram's documents begin among the B.
        support: (G,), how many they are.
    """

    filters: NDArray[np.int64]
    activations: NDArray[np.float32]
    starts: NDArray[np.int64]
    documents: NDArray[np.int64]
    distinct: NDArray[np.int64]
    first: NDArray[np.int64]
    support: NDArray[np.int64]

    @classmethod
    def of(cls, branch: Taken) -> _Answered:
        """Return the entries of a branch."""
        documents, filters = np.nonzero(branch.activations > 0)
        keys = branch.keys[documents, filters]
        order = np.lexsort((documents, keys))
        keys, documents, filters = keys[order], documents[order], filters[order]
        new = (keys[1:] != keys[:-1]) | (documents[1:] != documents[:-1])
        starts = np.flatnonzero(np.r_[True, new]) if len(keys) else np.empty(0, np.int64)
        distinct, first, support = np.unique(keys[starts], return_index=True, return_counts=True)
        return cls(filters, branch.activations[documents, filters], starts, documents[starts], distinct, first, support)


class _Grouped(NamedTuple):
    """N-grams (G,) with what they contribute to a class in the documents in which they win a filter.

    ``documents`` and ``sums`` hold those of all n-grams one after the other; an n-gram's begin at ``first``,
    ``support`` many. ``groups`` are the n-grams' places among all that answered.
    """

    groups: NDArray[np.int64]
    keys: NDArray[np.int64]
    contributions: NDArray[np.float64]
    support: NDArray[np.int64]
    first: NDArray[np.int64]
    documents: NDArray[np.int64]
    sums: NDArray[np.float64]

    def own(self, position: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Return an n-gram's documents, and its contribution to each."""
        part = slice(self.first[position], self.first[position] + self.support[position])
        return self.documents[part], self.sums[part]


def _grouped(answered: _Answered, weights: NDArray[np.float32], words: int) -> _Grouped:
    """Return the n-grams, each with its mean contribution; none of a window that reaches into padding."""
    amounts = (answered.activations * weights[answered.filters]).astype(float)
    sums = np.add.reduceat(amounts, answered.starts) if len(answered.starts) else np.empty(0)
    totals = np.add.reduceat(sums, answered.first) if len(answered.first) else np.empty(0)
    known = np.flatnonzero(answered.distinct % words != PAD)
    keys, first, support = (values[known] for values in (answered.distinct, answered.first, answered.support))
    return _Grouped(known, keys, totals[known] / support, support, first, answered.documents, sums)


def _seen(keys: NDArray[np.int64], size: int, vocabulary: Vocabulary, counts: NgramCounts | None) -> NDArray[np.int64]:
    """Return how often each n-gram stood in the training texts; those of unknown words were never counted."""
    if counts is None or size > counts.longest:
        return np.full(len(keys), UNCOUNTED)
    ids = ids_of(keys, size, len(vocabulary))
    return np.where((ids == UNKNOWN).any(axis=1), UNCOUNTED, counts.of_each(ids, vocabulary.words))


def _chosen(result: _Grouped, seen: NDArray[np.int64], most: int) -> list[int]:
    """Return the positions of the n-grams that are kept, ``most`` each way of each list."""
    means, totals = result.contributions, result.contributions * result.support
    lists = [(means, result.support >= least) for least in SUPPORTS]
    kept: set[int] = set()
    for values, members in [*lists, (means, seen == 0), (totals, result.support > 0)]:
        positions = np.flatnonzero(members)
        ranked = positions[np.argsort(values[positions], kind="stable")]
        kept |= {position for position in ranked[:most].tolist() if values[position] < 0}
        kept |= {position for position in ranked[-most:].tolist() if values[position] > 0}
    return sorted(kept)
