"""The top n-grams: those that move a class score most, over all documents of a split (Johnson and Zhang 2015, 3.6)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlpviz.reading.split import Split, Taken, ids_of, ngram_of, rated_shares
from nlpviz.results.ngram_counts import NgramCounts
from nlpviz.results.survey import UNCOUNTED, RankedNgram
from nlpviz.text.vocabulary import PAD, UNKNOWN, Vocabulary

SUPPORTS = (3, 10, 30, 100)
"""The strongest n-grams of at least so many documents are kept, for each of these numbers."""
KEPT = 60


def top_ngrams(
    taken: Sequence[Taken], split: Split, vocabulary: Vocabulary, counts: NgramCounts | None
) -> tuple[RankedNgram, ...]:
    """Return the n-grams that move the last class's score most, for it and against it, of each region size.

    For each of :data:`SUPPORTS` the :data:`KEPT` strongest each way, as many of those that never stood in the training
    texts, and as many by what they contribute to all documents together.
    """
    rows = []
    for branch in taken:
        amounts = branch.activations * branch.weights
        documents = np.broadcast_to(np.arange(len(amounts))[:, None], amounts.shape)
        answered = branch.activations > 0
        result = _grouped(branch.keys[answered], documents[answered], amounts[answered])
        known = result.take(np.flatnonzero(result.keys % len(vocabulary) != PAD))  # no window that reaches into padding
        seen = _seen(known, branch.size, vocabulary, counts)
        chosen = _chosen(known, seen)
        rated = rated_shares(split, known.keys[chosen], branch.size, len(vocabulary))
        for position, share in zip(chosen, rated.tolist(), strict=True):
            said = known.contributions[position]
            own = known.documents[known.first[position] : known.first[position] + known.support[position]]
            right = (split.labels[own] == split.labels.max()) == (said > 0)
            rows.append(
                RankedNgram(
                    size=branch.size,
                    ngram=ngram_of(int(known.keys[position]), branch.size, vocabulary),
                    contribution=float(said),
                    support=int(known.support[position]),
                    precision=float(right.mean()),
                    seen=int(seen[position]),
                    example=split.names[int(known.example[position])],
                    rated=share,
                )
            )
    return tuple(sorted(rows, key=lambda row: -row.contribution))


class _Grouped(NamedTuple):
    """N-grams (G,) with the documents in which they win a filter.

    ``documents`` holds those of all n-grams one after the other; an n-gram's begin at ``first``, ``support`` many.
    ``example`` is the one where it contributes most.
    """

    keys: NDArray[np.int64]
    contributions: NDArray[np.float64]
    support: NDArray[np.int64]
    first: NDArray[np.int64]
    documents: NDArray[np.int64]
    example: NDArray[np.int64]

    def take(self, positions: NDArray[np.int64]) -> _Grouped:
        """Return some of the n-grams."""
        return _Grouped(
            self.keys[positions],
            self.contributions[positions],
            self.support[positions],
            self.first[positions],
            self.documents,
            self.example[positions],
        )


def _grouped(keys: NDArray[np.int64], documents: NDArray[np.int64], amounts: NDArray[np.float32]) -> _Grouped:
    """Return the n-grams, each with its mean contribution over the documents where it wins a filter."""
    order = np.lexsort((documents, keys))
    keys, documents, amounts = keys[order], documents[order], amounts[order]
    new = np.r_[True, (keys[1:] != keys[:-1]) | (documents[1:] != documents[:-1])] if len(keys) else np.empty(0, bool)
    starts = np.flatnonzero(new)
    sums = np.add.reduceat(amounts.astype(float), starts) if len(starts) else np.empty(0)
    keys, documents = keys[starts], documents[starts]  # one entry for each n-gram in each document
    distinct, first, support = np.unique(keys, return_index=True, return_counts=True)
    means = np.add.reduceat(sums, first) / support if len(first) else np.empty(0)
    group = np.repeat(np.arange(len(distinct)), support)
    towards = np.lexsort((np.sign(means)[group] * -sums, group))  # the strongest document of each n-gram first
    return _Grouped(distinct, means, support, first, documents, documents[towards[first]])


def _seen(result: _Grouped, size: int, vocabulary: Vocabulary, counts: NgramCounts | None) -> NDArray[np.int64]:
    """Return how often each n-gram stood in the training texts; those of unknown words were never counted."""
    if counts is None or size > counts.longest:
        return np.full(len(result.keys), UNCOUNTED)
    ids = ids_of(result.keys, size, len(vocabulary))
    return np.where((ids == UNKNOWN).any(axis=1), UNCOUNTED, counts.of_each(ids, vocabulary.words))


def _chosen(result: _Grouped, seen: NDArray[np.int64]) -> list[int]:
    """Return the positions of the n-grams that are kept."""
    means, totals = result.contributions, result.contributions * result.support
    lists = [(means, result.support >= least) for least in SUPPORTS]
    kept: set[int] = set()
    for values, members in [*lists, (means, seen == 0), (totals, result.support > 0)]:
        positions = np.flatnonzero(members)
        ranked = positions[np.argsort(values[positions], kind="stable")]
        kept |= {position for position in ranked[:KEPT].tolist() if values[position] < 0}
        kept |= {position for position in ranked[-KEPT:].tolist() if values[position] > 0}
    return sorted(kept)
