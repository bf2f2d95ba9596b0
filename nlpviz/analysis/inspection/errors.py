"""Where a classifier errs: words associated with errors, slices of the texts, the most confident errors.

Words and slices are tested by Fisher's exact test, corrected for their number (:mod:`nlpviz.stats.significance`).
Presence in a text is what counts, not how often a word occurs. A long text holds more words of every kind: where errors
go with length, the slices by length say so, and a word's test does not take it into account.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from nlpviz.results.errors import ConfidentError, ErrorWord, ErrorWords, Slice, Slices
from nlpviz.stats.significance import benjamini_hochberg, fisher, odds_ratio, wilson

LEAST = 5
"""Texts that hold a word that is tested."""
_KEPT = 200  # words
_SHOWN = 50  # errors
_PARTS = 5  # of lengths and of numbers
_VALUES = 20  # of a column that have a slice of their own
EMPTY = "(empty)"


class ErrorCollector:
    """Counts over a stream of texts; only the most confident errors are kept."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._texts: Counter[str] = Counter()
        self._errors: Counter[str] = Counter()
        self._surest: list[tuple[float, int, ConfidentError]] = []

    def add(self, words: Iterable[str], answer: ConfidentError) -> None:
        """Count a text, which may be classified rightly.

        Args:
            words: of the text, in the vocabulary's spelling.
            answer: what was predicted.
        """
        present = set(words)
        self._texts.update(present)
        if answer.predicted == answer.label:
            return
        self._errors.update(present)
        kept = (answer.probability, -answer.row, answer)
        if len(self._surest) < _SHOWN:
            heapq.heappush(self._surest, kept)
        else:
            heapq.heappushpop(self._surest, kept)

    @property
    def surest(self) -> tuple[ConfidentError, ...]:
        """The most confident errors, in descending order."""
        return tuple(answer for _, _, answer in sorted(self._surest, reverse=True))

    def words(self, right: NDArray[np.bool_]) -> ErrorWords:
        """Return the words associated with errors or with correct predictions, from the N outcomes, (N,)."""
        count, marked = len(right), int((~right).sum())
        names = sorted(word for word, texts in self._texts.items() if LEAST <= texts <= count - LEAST)
        sizes, inside = (np.array([known[name] for name in names], int) for known in (self._texts, self._errors))
        p, odds = fisher(inside, sizes, marked, count), odds_ratio(inside, sizes, marked, count)
        q = benjamini_hochberg(p)
        order = np.lexsort((-np.abs(np.log(odds)), p))[:_KEPT]
        found = tuple(
            ErrorWord(
                word=names[at],
                texts=int(sizes[at]),
                errors=int(inside[at]),
                share=float(inside[at] / sizes[at]),
                interval=wilson(float(inside[at] / sizes[at]), int(sizes[at])),
                outside=float((marked - inside[at]) / (count - sizes[at])),
                odds_ratio=float(odds[at]),
                p=float(p[at]),
                q=float(q[at]),
            )
            for at in order
        )
        return ErrorWords(found, len(names), LEAST, count, marked)


def slices_by_length(lengths: NDArray[np.integer], right: NDArray[np.bool_]) -> Slices:
    """Return N texts in fifths by their number of tokens.

    Args:
        lengths: in tokens, (N,).
        right: which are classified rightly, (N,).
    """
    parts = _fifths(lengths)
    return _slices("length", [(f"{_range(lengths[part])} tokens", part) for part in parts], right)


def slices_by_column(column: str, values: Sequence[str], right: NDArray[np.bool_]) -> Slices:
    """Return N texts by the values of a column: by value, or in fifths if it has many numbers.

    Args:
        column: its name.
        values: of the N texts, as they stand in the file.
        right: which are classified rightly, (N,).
    """
    cells = np.array([value.strip() for value in values], dtype=object)
    numbers = _numbers(cells)
    if numbers is not None:
        known = np.flatnonzero(~np.isnan(numbers))
        named = [(_range(numbers[known[part]]), known[part]) for part in _fifths(numbers[known])]
        none = np.flatnonzero(np.isnan(numbers))
        return _slices(column, [*named, (EMPTY, none)] if len(none) else named, right)
    frequent = Counter(cells.tolist()).most_common()
    own, rest = frequent[:_VALUES], {value for value, _ in frequent[_VALUES:]}
    named = [(value or EMPTY, np.flatnonzero(cells == value)) for value, _ in own]
    if rest:
        others = np.flatnonzero([cell in rest for cell in cells])
        named.append((f"({len(rest):,} other values)", others))
    return _slices(column, named, right, len(rest))


def _numbers(cells: NDArray[np.object_]) -> NDArray[np.float64] | None:
    """Return the cells as numbers, NaN where one is empty; None where others than numbers, or few of them, stand."""
    try:
        numbers = np.array([float(cell) if cell else np.nan for cell in cells])
    except ValueError:
        return None
    finite = numbers[np.isfinite(numbers)]
    filled = sum(bool(cell) for cell in cells)
    return numbers if len(finite) == filled and len(np.unique(finite)) > _VALUES else None


def _fifths(numbers: NDArray[np.number]) -> list[NDArray[np.int64]]:
    """Return the positions of up to five parts of about as many numbers, ascending; equal ones stand in one."""
    order = np.argsort(numbers, kind="stable")
    ascending = numbers[order]
    edges = np.linspace(0, len(order), _PARTS + 1).round().astype(int)[1:-1]
    edges = np.unique(np.searchsorted(ascending, ascending[edges[edges < len(order)]]))
    return [part for part in np.split(order, edges) if len(part)]


def _range(numbers: NDArray[np.number]) -> str:
    low, high = (f"{number:.10g}" for number in (numbers.min(), numbers.max()))
    return low if low == high else f"{low} to {high}"


def _slices(
    by: str, named: Sequence[tuple[str, NDArray[np.int64]]], right: NDArray[np.bool_], others: int = 0
) -> Slices:
    """Return the slices, each a name with the positions of its texts."""
    count, marked = len(right), int((~right).sum())
    sizes = np.array([len(positions) for _, positions in named], int)
    inside = np.array([int((~right[positions]).sum()) for _, positions in named], int)
    p = fisher(inside, sizes, marked, count)
    q = benjamini_hochberg(p)
    found = []
    for at, (name, _) in enumerate(named):
        size, rest = int(sizes[at]), count - int(sizes[at])
        accuracy = float(1 - inside[at] / size)
        outside = float(1 - (marked - inside[at]) / rest) if rest else float("nan")
        found.append(Slice(name, size, accuracy, wilson(accuracy, size), outside, float(p[at]), float(q[at])))
    return Slices(by, tuple(found), float(right.mean()), others)
