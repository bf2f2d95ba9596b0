"""A job: a question put to every row of a file, answered part by part into another file; stopped, it goes on."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
from filelock import FileLock, Timeout

from nlpviz.analysis.bulk import BulkError
from nlpviz.analysis.bulk.answers import answer_rows
from nlpviz.analysis.bulk.parts import ROWS_OF_A_PART, Counted, Parts, Tally, TextRow, parts_of
from nlpviz.analysis.bulk.questions import BulkQuestion, LoadedQuestion

Answerer = Callable[[BulkQuestion, Parts, Iterator[tuple[int, pa.Table]]], Iterator[int]]
"""Answers the parts that it is given with their numbers, writes them, and yields how many rows each time."""


class Told(NamedTuple):
    """The callbacks that report a job's progress.

    Attributes:
        begun: called with the number of rows, and with the number that were answered before.
        answered: called with the number of newly answered rows.
    """

    begun: Callable[[int, int], object]
    answered: Callable[[int], object]


def here(question: BulkQuestion, there: Parts, parts: Iterator[tuple[int, pa.Table]]) -> Iterator[int]:
    """Answer the parts one after the other in this process."""
    asked = LoadedQuestion.load(question)
    for number, part in parts:
        there.write(there.path(number), answer_rows(asked, part))
        yield len(part)


def answer_file(
    question: BulkQuestion, rows: Callable[[], Iterable[TextRow]], out: Path, told: Told, answerer: Answerer = here
) -> Counted:
    """Write the answers to every row into ``out``, and return how many there are.

    The rows are read twice: first to count them, so that the remaining time is known, and a file that has changed since
    a job was stopped is noticed. No more than a part of them is in memory.

    Args:
        question: what is asked.
        rows: reads the file from its beginning.
        out: a new file, Parquet or JSON lines by its ending.
        told: the progress callbacks.
        answerer: in this process, or a cluster.

    Raises:
        BulkError: if ``out`` cannot be written, is being written, or its parts are of another job; or if the file
            changes while it is read.
    """
    there = Parts(out)
    try:
        there.folder.mkdir(exist_ok=True)
        with FileLock(there.folder / "lock", timeout=0):
            return _answer(question, rows, there, told, answerer)
    except Timeout:
        raise BulkError(f"{out} is being written by another process. Wait for it to finish, or stop it.") from None
    except OSError as error:
        raise BulkError(f"{out} cannot be written ({error.strerror}). Run the same command again to resume.") from None


def _answer(
    question: BulkQuestion, rows: Callable[[], Iterable[TextRow]], there: Parts, told: Told, answerer: Answerer
) -> Counted:
    first, again = Tally(rows()), Tally(rows())
    deque(first, maxlen=0)
    there.begin({**asdict(question), **first.counted()._asdict(), "rows_of_a_part": ROWS_OF_A_PART})
    told.begun(first.counted().rows, there.done())
    count = 0

    def missing() -> Iterator[tuple[int, pa.Table]]:
        nonlocal count
        for number, part in enumerate(parts_of(again, ROWS_OF_A_PART)):
            count = number + 1
            if not there.has(number):
                yield number, part

    answered = answerer if first.counted().rows else here  # of no rows a file with the same columns
    for some in answered(question, there, missing()):
        told.answered(some)
    if again.counted() != first.counted():
        raise BulkError(f"The input file changed while it was being read. Delete {there.folder} and start again.")
    there.finish(count)
    return first.counted()
