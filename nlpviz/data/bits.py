"""Tasks on sequences of bits that the project draws itself: what is read step by step, and what is to be answered.

A module of this package that defines ``BITS`` of type :class:`BitTask` is found by :func:`bit_tasks`; the same module
defines the corpus of that name, whose splits are drawn by seeds that no training uses.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from nlpviz.data import Corpus, DataError
from nlpviz.discovery import discover

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SEEDS = {"validation": 2**31, "test": 2**31 + 1}
"""Of the splits; trainings have small ones."""
SEQUENCES = 1_000
"""Of each split, over the trained lengths together."""


class BitBatch(NamedTuple):
    """B sequences of T steps of one length.

    Attributes:
        inputs: float32 (B, T, D), 0 or 1: the bits of a step, and marks that say what comes next.
        targets: float32 (B, R, K), 0 or 1: what is to be answered at the last R steps.
    """

    inputs: NDArray[np.float32]
    targets: NDArray[np.float32]


@dataclass(frozen=True)
class BitTask:
    """What a module under ``nlpviz.data`` exports as ``BITS``.

    Attributes:
        name: as in addresses and on the command line.
        title: as people call it.
        says: what is to be done, in a sentence with a place for the ``length``.
        unit: what a length counts, in the plural.
        inputs: D, the marks among them.
        outputs: K.
        marks: what each of the last inputs marks, in their order.
        trained: the lengths of the sequences that are learnt from.
        tested: lengths at which errors are measured, ascending.
        steps: T of a length.
        draw: makes so many sequences of a length.
    """

    name: str
    title: str
    says: str
    unit: str
    inputs: int
    outputs: int
    marks: tuple[str, ...]
    trained: range
    tested: tuple[int, ...]
    steps: Callable[[int], int]
    draw: Callable[[np.random.Generator, int, int], BitBatch]

    @property
    def twice(self) -> int:
        """Twice the longest trained length."""
        return 2 * self.trained[-1]

    def allowed(self, length: int) -> int:
        """Return ``length``.

        Raises:
            DataError: if no sequence has it, or it is longer than any that is measured.
        """
        if not self.trained[0] <= length <= self.tested[-1]:
            raise DataError(
                f"{self.title} can be {self.trained[0]} to {self.tested[-1]} {self.unit} long, not {length:,}."
            )
        return length

    def held_out(self, split: str, length: int, count: int) -> BitBatch:
        """Return the first sequences of a length of a split, which no training draws."""
        import numpy as np

        return self.draw(np.random.default_rng([SEEDS[split], length]), count, length)

    def read(self, split: str) -> Sequence[BitBatch]:
        """Return a split: as many sequences of each trained length.

        Raises:
            DataError: if there is no such split.
        """
        if split not in SEEDS:
            raise DataError(f"{self.title} has no split {split!r}; it has {', '.join(SEEDS)}.")
        each = -(-SEQUENCES // len(self.trained))
        return [self.held_out(split, length, each) for length in self.trained]


def bit_tasks() -> dict[str, BitTask]:
    """Return every task on bits, by name."""
    return discover("nlpviz.data", "BITS", BitTask)


def drawn_corpus(task: BitTask, sha256: str, citation: str, url: str) -> Corpus:
    """Return the corpus of a task, for what is trained on it to name.

    Args:
        task: what is drawn.
        sha256: of :func:`content` of it, so that a run says which sequences it was measured on.
        citation: whose task it is.
        url: of that paper.
    """
    return Corpus(
        name=task.name,
        title=task.title,
        file="",
        url=url,
        size=0,
        sha256=(sha256,),
        licence="Drawn by the project: there is no file.",
        citation=citation,
        read=task.read,
        find=_nothing_to_find(task.title),
        document="sequence",
        written="sequences of random bits",
        drawn=True,
    )


def content(task: BitTask) -> str:
    """Return the hash of a task's validation and test sequences, hexadecimal."""
    import hashlib

    found = hashlib.sha256()
    for split in SEEDS:
        for batch in task.read(split):
            found.update(batch.inputs.tobytes())
            found.update(batch.targets.tobytes())
    return found.hexdigest()


def _nothing_to_find(title: str) -> Callable[[str], str]:
    def find(name: str) -> str:
        raise DataError(f"{title} has no documents, and none called {name!r}.")

    return find
