"""Runs on the user's labelled file: which rows were measured, and what each run predicts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nlpviz.results.assessment import Assessment
from nlpviz.results.comparison import Comparison
from nlpviz.results.errors import ConfidentError, ErrorWords, Slices


@dataclass(frozen=True)
class FileRows:
    """What became of the rows of a file; only those with a text and a class that the run knows are measured.

    Attributes:
        file: its name.
        text: the column of the texts.
        label: the column of the labels.
        guesses: sentences that say what was guessed.
        read: rows, bad ones too.
        measured: N.
        empty: rows without a text.
        unlabelled: rows with a text and no label.
        unknown: labels that are no class of the run -> rows; some hundreds of labels at most.
        unknown_count: rows with such a label.
        bad: the first bad rows: number, and what is wrong in half a sentence.
        bad_count: how many there are.
    """

    file: str
    text: str
    label: str
    guesses: tuple[str, ...]
    read: int
    measured: int
    empty: int
    unlabelled: int
    unknown: Mapping[str, int]
    unknown_count: int
    bad: tuple[tuple[int, str], ...]
    bad_count: int


@dataclass(frozen=True)
class RunOnFile:
    """What one run makes of a file's N texts.

    Attributes:
        title: what people call the run.
        assessment: how good it is.
        lengths: the texts in slices by length.
        column: by a column of the file; None where none was named.
        words: whose presence goes with errors.
        errors: the most confident ones, the surest first.
        probabilities: float32 (N, K), in the order of the assessment's classes.
    """

    title: str
    assessment: Assessment
    lengths: Slices
    column: Slices | None
    words: ErrorWords
    errors: tuple[ConfidentError, ...]
    probabilities: NDArray[np.float32]


@dataclass(frozen=True)
class FileEvaluation:
    """One run or two on the user's labelled file.

    Attributes:
        rows: what became of the file's rows.
        numbers: int64 (N,), of the rows that were measured.
        labels: int64 (N,), indices of classes.
        runs: what each makes of them, the one that was asked for first.
        comparison: of two runs; None of one.
        texts: of the N rows; None unless they were to be kept.
    """

    rows: FileRows
    numbers: NDArray[np.int64]
    labels: NDArray[np.int64]
    runs: tuple[RunOnFile, ...]
    comparison: Comparison | None = None
    texts: tuple[str, ...] | None = None
