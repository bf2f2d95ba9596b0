"""The description of user data before a model is trained on it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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


@dataclass(frozen=True, eq=False, kw_only=True)
class OwnReport:
    """The part of the description of user data that does not depend on the learning task.

    Attributes:
        files: the names of what was read, the test file last.
        format: of the first.
        guesses: sentences that say what was guessed.
        rows: how many there are, bad ones and empty ones too.
        split: a sentence that says how test and validation texts were chosen.
        scripts: writing system -> texts in it, the commonest one first.
        notes: sentences on what is odd, such as labels that look like numbers, or classes left out.
        bad: the first bad rows.
        bad_count: how many there are.
        expected: what training will take, a run each.
    """

    files: tuple[str, ...]
    format: str
    guesses: tuple[str, ...]
    rows: int
    split: str
    scripts: tuple[tuple[str, int], ...]
    notes: tuple[str, ...]
    bad: tuple[BadLine, ...]
    bad_count: int
    expected: tuple[Expected, ...] = ()

    @property
    def seconds(self) -> float:
        """How long training all runs is expected to take."""
        return sum(one.seconds for one in self.expected)

    @property
    def read(self) -> str:
        """What was read and used, in a sentence after the files' names."""
        raise NotImplementedError

    @property
    def warnings(self) -> tuple[str, ...]:
        """What may spoil what is learnt or measured, in sentences."""
        return self.notes

    def lines(self, listed: int = 10) -> Iterator[str]:
        """Yield the report as sentences and a table; so many of the bad rows are ``listed``."""
        yield f"{' and '.join(self.files)} ({self.format}): {self.read}"
        yield from self.guesses
        yield self.split
        yield from self._of_texts()
        total = sum(count for _, count in self.scripts)
        if total:
            yield f"Scripts: {', '.join(f'{name} {count / total:.1%}' for name, count in self.scripts)}."
        yield from self.notes
        yield from self._of_bad(listed)
        yield from self._of_costs()

    def _of_texts(self) -> Iterator[str]:
        """Yield what is particular to the task."""
        raise NotImplementedError

    def _of_bad(self, listed: int) -> Iterator[str]:
        if not self.bad_count:
            return
        yield f"Skipped {self.bad_count:,} unusable row{'s' * (self.bad_count != 1)}:"
        yield from (f"  {one}" for one in self.bad[:listed])
        if self.bad_count > listed:
            yield f"  … and {self.bad_count - listed:,} more."

    def _of_costs(self) -> Iterator[str]:
        for one in self.expected:
            size = max(one.stored_bytes / _MIB, 0.1)
            yield f"{one.run}: about {duration(one.seconds)} on two cores, {size:,.1f} MiB on disk."


@dataclass(frozen=True, eq=False, kw_only=True)
class TextsReport(OwnReport):
    """What was seen of texts with classes.

    Attributes:
        classes: in the order of the class indices.
        lengths: words of each text that is used, parted by blanks, (N,).
        empty: rows whose text is empty; they are left out.
        repeated: texts that had stood before, blanks and case aside.
        in_both: test texts that stand in the training or validation texts as well.
        nearly_in_both: test texts of which most word sequences stand in one of these.
        rare: classes with fewer than ten training texts.
    """

    classes: tuple[ClassCount, ...]
    lengths: NDArray[np.int64]
    empty: int
    repeated: int
    in_both: int
    nearly_in_both: int
    rare: tuple[str, ...]

    @property
    def texts(self) -> int:
        """How many texts are used."""
        return len(self.lengths)

    @property
    def test(self) -> int:
        """How many test texts there are."""
        return sum(one.test for one in self.classes)

    @property
    def read(self) -> str:
        """How many rows, texts and classes."""
        return f"{self.rows:,} rows, {self.texts:,} texts used, {len(self.classes):,} classes."

    @property
    def leak(self) -> str:
        """How many test texts stand in the training texts as well, and what that can do, in a sentence."""
        if not (self.in_both or self.nearly_in_both):
            return "No test text occurs in the training set."
        return (
            f"Of {self.test:,} test texts, {self.in_both:,} also occur in the training set and "
            f"{self.nearly_in_both:,} more have near-duplicates there. This can raise test accuracy by at most "
            f"{100 * (self.in_both + self.nearly_in_both) / self.test:.1f} percentage points."
        )

    @property
    def of_rare(self) -> tuple[str, ...]:
        """Which classes are rare, in a sentence; nothing where none is."""
        if not self.rare:
            return ()
        return (f"Classes with fewer than ten training texts, too few to learn from: {', '.join(self.rare)}.",)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What leaks, what is odd, and which classes are rare."""
        leak = (self.leak,) if self.in_both or self.nearly_in_both else ()
        return (*leak, *self.notes, *self.of_rare)

    def _of_texts(self) -> Iterator[str]:
        width = max(len("class"), *(len(one.name) for one in self.classes))
        yield f"{'class':<{width}}  {'train':>9}  {'validation':>10}  {'test':>9}"
        for one in self.classes:
            yield f"{one.name:<{width}}  {one.train:>9,}  {one.validation:>10,}  {one.test:>9,}"
        yield from self.of_rare
        low, middle, high = (int(each) for each in np.quantile(self.lengths, (0.05, 0.5, 0.95), method="nearest"))
        yield (
            f"Words per text: median {middle:,}; {low:,} to {high:,} for 90% of texts; maximum "
            f"{int(self.lengths.max()):,}."
        )
        yield f"Empty texts: {self.empty:,}. Repeated texts: {self.repeated:,}."
        yield self.leak


class StreamCount(NamedTuple):
    """How much of running text a split has."""

    name: str
    lines: int
    tokens: int
    characters: int


@dataclass(frozen=True, eq=False, kw_only=True)
class RunningReport(OwnReport):
    """What was seen of running text.

    Attributes:
        unit: what a token is called: a word or a character.
        counts: of each split.
        distinct: different tokens in training.
        known: of these, those that the model will know; the others are the unknown word, or have no vector.
        unknown: share of the test tokens that are none of these; NaN without a test text.
        in_both: share of the longer test lines, of thirty characters at least, that stand in the training text as well;
            NaN likewise.
    """

    unit: str
    counts: tuple[StreamCount, ...]
    distinct: int
    known: int
    unknown: float = float("nan")
    in_both: float = float("nan")

    @property
    def read(self) -> str:
        """How many lines and tokens."""
        lines, tokens = (sum(getattr(one, name) for one in self.counts) for name in ("lines", "tokens"))
        return f"{lines:,} lines, {tokens:,} {self.unit}s."

    @property
    def warnings(self) -> tuple[str, ...]:
        """What leaks, and what is odd."""
        leak = (self._leak,) if self.in_both > 0.02 else ()
        return (*leak, *self.notes)

    @property
    def _leak(self) -> str:
        return (
            f"{self.in_both:.1%} of the longer test lines also occur in the training text, so results on them measure "
            "memorisation."
        )

    def _of_texts(self) -> Iterator[str]:
        units = dict.fromkeys((f"{self.unit}s", "characters"))  # which may be one
        yield f"{'split':<10}  {'lines':>11}" + "".join(f"  {name:>13}" for name in units)
        for one in self.counts:
            numbers = (one.tokens, one.characters)[: len(units)]
            yield f"{one.name:<10}  {one.lines:>11,}" + "".join(f"  {number:>13,}" for number in numbers)
        yield f"Distinct {self.unit}s in training: {self.distinct:,}; {self.known:,} are in the vocabulary."
        if self.unknown == self.unknown:
            yield f"Out-of-vocabulary {self.unit}s in the test text: {self.unknown:.1%}."
        if self.in_both == self.in_both:
            yield self._leak if self.in_both else "None of the longer test lines occurs in the training text."


class PairCount(NamedTuple):
    """How many pairs a split has, and how many words and marks on each side."""

    name: str
    pairs: int
    source_words: int
    target_words: int


@dataclass(frozen=True, eq=False, kw_only=True)
class PairsReport(OwnReport):
    """What was seen of sentences with their translations.

    Attributes:
        languages: what people call both.
        counts: of each split.
        known: words of each side that the models will know.
        unknown: share of the test sentences' words and marks, on each side, that are none of these.
        empty: rows with neither a sentence nor a translation; they are left out.
        repeated: pairs that had stood before, blanks and case aside.
        in_both: test pairs of which the sentence or the translation stands in the training or validation pairs as well.
        untranslated: BLEU of the test sentences as they are.
    """

    languages: tuple[str, str]
    counts: tuple[PairCount, ...]
    known: tuple[int, int]
    unknown: tuple[float, float]
    empty: int
    repeated: int
    in_both: int
    untranslated: float

    @property
    def pairs(self) -> int:
        """How many pairs are used."""
        return sum(one.pairs for one in self.counts)

    @property
    def read(self) -> str:
        """How many rows and pairs."""
        return f"{self.rows:,} rows, {self.pairs:,} pairs used."

    @property
    def leak(self) -> str:
        """How many test pairs are known from training by one side, in a sentence."""
        if not self.in_both:
            return "No test pair shares its sentence or translation with a training pair."
        return (
            f"{self.in_both:,} of {self.counts[-1].pairs:,} test pairs share their sentence or translation with a "
            "training or validation pair, so results on them measure memorisation."
        )

    @property
    def warnings(self) -> tuple[str, ...]:
        """What leaks, and what is odd."""
        return (*((self.leak,) if self.in_both else ()), *self.notes)

    def _of_texts(self) -> Iterator[str]:
        source, target = (f"{name} words" for name in self.languages)
        width, other = max(len(source), 9), max(len(target), 9)
        yield f"{'split':<10}  {'pairs':>11}  {source:>{width}}  {target:>{other}}"
        for one in self.counts:
            yield f"{one.name:<10}  {one.pairs:>11,}  {one.source_words:>{width},}  {one.target_words:>{other},}"
        yield "Vocabulary, including punctuation: " + self._of_sides([f"{one:,}" for one in self.known])
        yield "Out-of-vocabulary rate in the test text: " + self._of_sides([f"{one:.1%}" for one in self.unknown])
        yield f"Rows with both sides empty: {self.empty:,}. Repeated pairs: {self.repeated:,}."
        yield self.leak
        yield f"BLEU of the untranslated test sentences: {self.untranslated:.1f}."

    def _of_sides(self, values: Sequence[str]) -> str:
        return f"{values[0]} ({self.languages[0]}), {values[1]} ({self.languages[1]})."


class ImageCount(NamedTuple):
    """How many images a split has, how many captions they have, and how many words these."""

    name: str
    images: int
    captions: int
    words: int


@dataclass(frozen=True, eq=False, kw_only=True)
class ImagesReport(OwnReport):
    """What was seen of images with captions.

    Attributes:
        side: pixels that they are scaled to.
        counts: of each split.
        known: words that the models will know.
        unknown: share of the words of test captions that are none of these.
        repeated: images that are the same as one before them, once they are scaled.
    """

    side: int
    counts: tuple[ImageCount, ...]
    known: int
    unknown: float
    repeated: int

    @property
    def read(self) -> str:
        """How many entries, images and captions."""
        images, captions = (sum(getattr(one, name) for one in self.counts) for name in ("images", "captions"))
        return f"{self.rows:,} entries, {images:,} images with {captions:,} captions used."

    def _of_texts(self) -> Iterator[str]:
        yield f"{'split':<10}  {'images':>9}  {'captions':>9}  {'words':>11}"
        for one in self.counts:
            yield f"{one.name:<10}  {one.images:>9,}  {one.captions:>9,}  {one.words:>11,}"
        yield f"Each image is cropped to its central square and scaled to {self.side} × {self.side} pixels."
        yield f"Vocabulary, including punctuation: {self.known:,}."
        yield f"Out-of-vocabulary words in test captions: {self.unknown:.1%}."
        yield f"Repeated images: {self.repeated:,}; identical images stay in the same split."


def duration(seconds: float) -> str:
    """Return a time as people say it: ``"40 s"``, ``"12 min"``, ``"3.5 h"``."""
    if seconds < 90:
        return f"{max(round(seconds), 1)} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
