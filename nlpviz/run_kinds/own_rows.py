"""The rows of the user's labelled file, read as a stream: which can be measured, and why others cannot."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from nlpviz.data.own_texts.classes import folded
from nlpviz.results.own_evaluation import FileRows
from nlpviz.run_kinds.parts import UsageError
from nlpviz.runs import Run
from nlpviz.text.vocabulary import shortened

if TYPE_CHECKING:
    from nlpviz.data.own_texts import Opened, Row

_LABELS = 200  # unknown ones that are counted one by one
_NAMED = 8  # in a sentence


@dataclass
class OwnRows:
    """What is known of a file's rows as they go by; of the texts only what was asked to be kept.

    Attributes:
        indices: folded label -> index of a class.
        column: by which the texts are sliced; empty for none.
        keep_texts: whether to keep the texts.
        numbers: of the N rows that can be measured.
        labels: of these, indices of classes.
        values: of these, what stands in the column.
        texts: of these, where they are kept.
    """

    indices: Mapping[str, int]
    column: str = ""
    keep_texts: bool = False
    numbers: list[int] = field(default_factory=list)
    labels: list[int] = field(default_factory=list)
    values: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    _good: int = 0
    _empty: int = 0
    _unlabelled: int = 0
    _unknown: Counter[str] = field(default_factory=Counter)
    _unknown_count: int = 0

    def measurable(self, rows: Iterable[Row]) -> Iterator[tuple[int, str, int]]:
        """Yield number, text and class of the rows that can be measured; count the others."""
        for row in rows:
            self._good += 1
            index = self.indices.get(folded(row.label))
            if not row.text.strip():
                self._empty += 1
            elif not row.label:
                self._unlabelled += 1
            elif index is None:
                self._count_unknown(shortened(row.label))
            else:
                self.numbers.append(row.number)
                self.labels.append(index)
                if self.column:
                    self.values.append(row.fields[self.column])
                if self.keep_texts:
                    self.texts.append(row.text)
                yield row.number, row.text, index

    def _count_unknown(self, label: str) -> None:
        self._unknown_count += 1
        if label in self._unknown or len(self._unknown) < _LABELS:
            self._unknown[label] += 1

    def became(self, opened: Opened) -> FileRows:
        """Return what became of the rows, once all of them have gone by."""
        return FileRows(
            file=Path(opened.source.path).name,
            text=opened.source.text,
            label=opened.source.label,
            guesses=opened.guesses,
            read=self._good + opened.bad_count,
            measured=len(self.numbers),
            empty=self._empty,
            unlabelled=self._unlabelled,
            unknown=dict(self._unknown.most_common()),
            unknown_count=self._unknown_count,
            bad=tuple((row.number, row.why) for row in opened.bad),
            bad_count=opened.bad_count,
        )


def indices_of(run: Run, mapping: Mapping[str, str]) -> dict[str, int]:
    """Return the index of each label's class, by the folded label: a run's own class names, and those of ``mapping``.

    Raises:
        UsageError: if the mapping leads to no class of the run.
    """
    known = {folded(name): index for index, name in enumerate(run.class_names)}
    for name in mapping.values():
        if folded(name) not in known:
            raise UsageError(f"--mapping: {shortened(name)!r} is not a class of {run.name!r}; {_classes(run)}.")
    return known | {folded(label): known[folded(name)] for label, name in mapping.items()}


def read_mapping(written: str) -> dict[str, str]:
    """Return labels and the classes that they stand for, from ``"pos=positive,neg=negative"``.

    Raises:
        UsageError: if a part of it is no pair.
    """
    pairs = [part.partition("=") for part in written.split(",")]
    for label, equals, name in pairs:
        if not (label.strip() and equals and name.strip()):
            raise UsageError("--mapping needs pairs of label and class, such as pos=positive,neg=negative.")
    return {label: name for label, _, name in pairs}


def nothing_to_measure(rows: FileRows, run: Run) -> str:
    """Return why no row of a file can be measured, and what to do."""
    if rows.unknown:
        labels = ", ".join(repr(label) for label in list(rows.unknown)[:_NAMED])
        example = ",".join(
            f"{label}={name}" for label, name in zip(rows.unknown, run.class_names, strict=False) if "," not in label
        )
        return (
            f"No label of {rows.file} (column {rows.label!r}) is a class of {run.name!r}: the labels are "
            f"{labels}; {_classes(run)}. Map labels to classes, for example: --mapping {example}."
        )
    return f"{rows.file} has no row with a text and a label: {left_out(rows) or 'it is empty'}."


def left_out(rows: FileRows) -> str:
    """Return which rows were not measured, in words; empty where all were."""
    parts = []
    if rows.unknown_count:
        listed = [f"{label!r} {count:,}" for label, count in list(rows.unknown.items())[:_NAMED]]
        more = ", …" if len(rows.unknown) > _NAMED else ""
        parts.append(f"{rows.unknown_count:,} with an unknown label ({', '.join(listed)}{more})")
    if rows.empty:
        parts.append(f"{rows.empty:,} without a text")
    if rows.unlabelled:
        parts.append(f"{rows.unlabelled:,} without a label")
    if rows.bad_count:
        listed = [f"row {number}: {why}" for number, why in rows.bad[:_NAMED]]
        more = "; …" if rows.bad_count > _NAMED else ""
        parts.append(f"{rows.bad_count:,} unreadable ({'; '.join(listed)}{more})")
    return ", ".join(parts)


def _classes(run: Run) -> str:
    return f"the classes are {', '.join(run.class_names)}"
