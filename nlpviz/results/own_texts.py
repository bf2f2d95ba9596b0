"""What was seen of a person's own texts before a model is trained on them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

_MIB = 1 << 20


class ClassCount(NamedTuple):
    """How many texts of each split have a label."""

    name: str
    train: int
    validation: int
    test: int

    @property
    def total(self) -> int:
        """How many texts have it."""
        return self.train + self.validation + self.test


class BadLine(NamedTuple):
    """A row that cannot be used, by its file and number, and why, as half a sentence."""

    file: str
    number: int
    why: str

    def __str__(self) -> str:
        """The row in a sentence."""
        return f"Row {self.number:,} of {self.file} {self.why}."


class Expected(NamedTuple):
    """What a training is expected to take: a run's name, seconds with its maps and surveys, and bytes on the disk."""

    run: str
    seconds: float
    stored_bytes: int


@dataclass(frozen=True, eq=False)
class TextsReport:
    """What was seen of a person's own texts.

    Attributes:
        files: the names of what was read, the test file last.
        format: of the first.
        guesses: sentences that say what was guessed.
        rows: how many there are, bad ones and empty ones too.
        classes: in the order of the class indices.
        split: a sentence that says how test and validation texts were chosen.
        lengths: words of each text that is used, parted by blanks, (N,).
        empty: rows whose text is empty; they are left out.
        repeated: texts that had stood before, blanks and case aside.
        in_both: test texts that stand in the training or validation texts as well.
        nearly_in_both: test texts of which most word sequences stand in one of these.
        rare: classes with fewer than ten training texts.
        scripts: writing system -> texts in it, the commonest one first.
        notes: sentences on labels that look like numbers or dates, classes left out, and the like.
        bad: the first bad rows.
        bad_count: how many there are.
        expected: what training will take, a run each.
    """

    files: tuple[str, ...]
    format: str
    guesses: tuple[str, ...]
    rows: int
    classes: tuple[ClassCount, ...]
    split: str
    lengths: NDArray[np.int64]
    empty: int
    repeated: int
    in_both: int
    nearly_in_both: int
    rare: tuple[str, ...]
    scripts: tuple[tuple[str, int], ...]
    notes: tuple[str, ...]
    bad: tuple[BadLine, ...]
    bad_count: int
    expected: tuple[Expected, ...] = ()

    @property
    def texts(self) -> int:
        """How many texts are used."""
        return len(self.lengths)

    @property
    def test(self) -> int:
        """How many test texts there are."""
        return sum(one.test for one in self.classes)

    @property
    def seconds(self) -> float:
        """How long training all runs is expected to take."""
        return sum(one.seconds for one in self.expected)

    def lines(self, listed: int = 10) -> Iterator[str]:
        """Yield the report as sentences and a table; so many of the bad rows are ``listed``."""
        yield f"{' and '.join(self.files)} ({self.format}): {self.rows:,} rows, {self.texts:,} texts used."
        yield from self.guesses
        yield self.split
        yield from self._of_classes()
        yield from self._of_texts()
        yield from self.notes
        yield from self._of_bad(listed)
        yield from self._of_costs()

    def _of_classes(self) -> Iterator[str]:
        width = max(len("class"), *(len(one.name) for one in self.classes))
        yield f"{'class':<{width}}  {'train':>9}  {'validation':>10}  {'test':>9}"
        for one in self.classes:
            yield f"{one.name:<{width}}  {one.train:>9,}  {one.validation:>10,}  {one.test:>9,}"
        if self.rare:
            yield f"Fewer than ten training texts, of which little can be learnt: {', '.join(self.rare)}."

    def _of_texts(self) -> Iterator[str]:
        low, middle, high = (int(each) for each in np.quantile(self.lengths, (0.05, 0.5, 0.95), method="nearest"))
        yield (
            f"Words of a text: {middle:,} in the median, from {low:,} to {high:,} for nine of ten, "
            f"{int(self.lengths.max()):,} at most."
        )
        yield f"Empty texts: {self.empty:,}. Repeated texts: {self.repeated:,}."
        if self.in_both or self.nearly_in_both:
            yield (
                f"{self.in_both:,} of {self.test:,} test texts stand in the training texts as well, and "
                f"{self.nearly_in_both:,} more nearly do: the test accuracy will be too high."
            )
        else:
            yield "No test text stands in the training texts as well."
        total = sum(count for _, count in self.scripts)
        yield f"Scripts: {', '.join(f'{name} {count / total:.1%}' for name, count in self.scripts)}."

    def _of_bad(self, listed: int) -> Iterator[str]:
        if not self.bad_count:
            return
        yield f"{self.bad_count:,} bad row{'s' * (self.bad_count != 1)}, left out:"
        yield from (f"  {one}" for one in self.bad[:listed])
        if self.bad_count > listed:
            yield f"  … and {self.bad_count - listed:,} more."

    def _of_costs(self) -> Iterator[str]:
        for one in self.expected:
            size = max(one.stored_bytes / _MIB, 0.1)
            yield f"{one.run}: about {duration(one.seconds)} on two cores, {size:,.1f} MiB on the disk."


def duration(seconds: float) -> str:
    """Return a time as people say it: ``"40 s"``, ``"12 min"``, ``"3.5 h"``."""
    if seconds < 90:
        return f"{max(round(seconds), 1)} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
