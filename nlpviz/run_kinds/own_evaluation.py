"""Classifiers measured on the user's labelled file: read once, a part at a time.

The way for a page: ``open_source(Source(path))`` of :mod:`nlpviz.data.own_texts`, then :func:`evaluate_file`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from nlpviz.data.own_texts.classes import folded
from nlpviz.results.comparison import compare_all
from nlpviz.results.own_evaluation import FileEvaluation, RunOnFile
from nlpviz.run_kinds import kind_of
from nlpviz.run_kinds.own_rows import OwnRows, indices_of, nothing_to_measure
from nlpviz.run_kinds.parts import Answers, Say, UsageError
from nlpviz.runs import Run
from nlpviz.text.vocabulary import tokenize

if TYPE_CHECKING:
    from nlpviz.data.own_texts import Opened

_PART = 512  # texts that are predicted at once
_SAID = 10 * _PART  # rows after which progress is reported again


@dataclass(frozen=True)
class FileRequest:
    """What a person wants to know of runs on a file.

    Attributes:
        epoch: of the first run; None for the best one. The other one is asked at its best.
        mapping: labels of the file -> classes of the run, where they are called otherwise.
        column: by which the texts are sliced besides their length; empty for none.
        keep_texts: whether the result holds the texts.
        device: ``"auto"``, ``"cpu"`` or ``"cuda"``.
        most_rows: of the file that are read; None reads all.
    """

    epoch: int | None = None
    mapping: Mapping[str, str] = field(default_factory=dict)
    column: str = ""
    keep_texts: bool = False
    device: str = "auto"
    most_rows: int | None = None


def evaluate_file(
    runs: Sequence[Run], opened: Opened, wanted: FileRequest, say: Say = lambda _: None
) -> FileEvaluation:
    """Return what one run, or two with the same classes, make of a labelled file.

    Args:
        runs: the classes of the first one are those of the result.
        opened: the file.
        wanted: what is asked.
        say: called with a line of text about each step.

    Raises:
        UsageError: if a run predicts no classes, two have different ones, no label is one of them, or the file has no
            labels.
        RunError: if a run is damaged, or keeps no such epoch.
        OwnTextsError: if the file is damaged, or has no such column.
    """
    from nlpviz.data.own_texts import find_column

    if not opened.source.label:
        there = ", ".join(opened.columns[:20])
        raise UsageError(
            f"{opened.source.path} has no column that looks like labels. Choose one of {there} with --label."
        )
    column = find_column(opened.columns, wanted.column)
    rows = OwnRows(indices_of(runs[0], wanted.mapping), column, wanted.keep_texts)
    asked = [_Asked(run, runs[0], wanted.epoch if at == 0 else None, wanted.device) for at, run in enumerate(runs)]
    lengths: list[int] = []
    going = rows.measurable(islice(opened.rows(), wanted.most_rows))
    while part := list(islice(going, _PART)):
        words = [[token.word for token in tokenize(text)] for _, text, _ in part]
        lengths += map(len, words)
        for one in asked:
            one.answer(part, words)
        if len(lengths) % _SAID == 0:
            say(f"{len(lengths):,} texts predicted")
    became = rows.became(opened)
    if not became.measured:
        raise UsageError(nothing_to_measure(became, runs[0]))
    labels = np.array(rows.labels)
    found = tuple(one.found(became.file, rows, np.array(lengths)) for one in asked)
    right = [one.probabilities.argmax(axis=1) == labels for one in found]
    compared = compare_all([run.name for run in runs], [run.title for run in runs], right) if len(runs) > 1 else None
    kept = tuple(rows.texts) if wanted.keep_texts else None
    return FileEvaluation(became, np.array(rows.numbers), labels, found, compared, kept)


class _Asked:
    """A run that is asked about one part of a file after the other."""

    def __init__(self, run: Run, first: Run, epoch: int | None, device: str) -> None:
        """Load it; refuse one whose classes are not those of ``first``."""
        from nlpviz.analysis.inspection.errors import ErrorCollector

        self._run = run
        self._epoch = (run.best_epoch if epoch is None else run.check_epoch(epoch)) if run.epochs else 0
        self._order = _order(run, first)
        self._answers = predictor(run, self._epoch, device)
        self._names = first.class_names
        self._errors = ErrorCollector()
        self._parts: list[NDArray[np.float32]] = []

    def answer(self, part: Sequence[tuple[int, str, int]], words: Sequence[Sequence[str]]) -> None:
        """Predict the texts of a part, each with its number and class."""
        from nlpviz.results.errors import ConfidentError

        said = self._answers([text for _, text, _ in part])[:, self._order].astype(np.float32)
        self._parts.append(said)
        for (number, text, label), some, row in zip(part, words, said, strict=True):
            predicted = int(row.argmax())
            self._errors.add(some, ConfidentError(number, text, label, predicted, float(row[predicted])))

    def found(self, file: str, rows: OwnRows, lengths: NDArray[np.int64]) -> RunOnFile:
        """Return what the run made of all parts."""
        from nlpviz.analysis.inspection.assessment import assess
        from nlpviz.analysis.inspection.errors import slices_by_column, slices_by_length

        probabilities, labels = np.concatenate(self._parts), np.array(rows.labels)
        right = probabilities.argmax(axis=1) == labels
        named = (self._run.name, self._epoch, file)
        return RunOnFile(
            title=self._run.title,
            assessment=assess(named, self._names, probabilities, labels, temperature_of(self._run, self._epoch)),
            lengths=slices_by_length(lengths, right),
            column=slices_by_column(rows.column, rows.values, right) if rows.column else None,
            words=self._errors.words(right),
            errors=self._errors.surest,
            probabilities=probabilities,
        )


def predictor(run: Run, epoch: int, device: str) -> Answers:
    """Return what gives the probabilities of a run's classes, (N, K), of N texts.

    Raises:
        UsageError: if runs of its kind predict none.
        RunError: if it is damaged.
    """
    kind = kind_of(run)
    if kind.predictor is None:
        raise UsageError(f"The run {run.name!r} {kind.says}, not a classifier.")
    return kind.predictor(run, epoch, device)


def temperature_of(run: Run, epoch: int) -> float | None:
    """Return the temperature that was fitted to a run's validation texts at ``epoch``; None where none was."""
    return run.metrics.get("validation", {}).get("temperature") if epoch == run.best_epoch else None


def _order(run: Run, first: Run) -> list[int]:
    """Return where each class of ``first`` stands among the run's own."""
    own = {folded(name): index for index, name in enumerate(run.class_names)}
    if own.keys() != {folded(name) for name in first.class_names}:
        raise UsageError(
            f"{run.name!r} and {first.name!r} cannot be compared: their classes are {', '.join(run.class_names)} and "
            f"{', '.join(first.class_names)}."
        )
    return [own[folded(name)] for name in first.class_names]
