"""The trail of edits: a tree of steps, each made from the text after another one; an address holds it.

Steps are parted by ``.``; each follows the one before unless it names its parent:
``swap-6-good.delete-3.0:insert-4-not`` has two steps in a row, and a third that begins again at the original text,
which is number 0.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from nlpviz.text import edits
from nlpviz.text.edits import EditError, Tokens, WordEdit

MOST = 60
"""Steps of a trail."""
_PARENT = re.compile(r"([0-9]{1,3}):(.*)", re.DOTALL)


class TrailStep(NamedTuple):
    """One step: the number of the step whose text it edits, 0 for the original, and what it does."""

    parent: int
    edits: tuple[WordEdit, ...]


Trail = tuple[TrailStep, ...]
"""Steps in the order in which they were made; the first is number 1."""


class Walked(NamedTuple):
    """A trail with a text at each step.

    Attributes:
        trail: the steps that can be made.
        texts: the original text, then the text after each step.
        said: what each step does, as a clause.
        problem: why the rest of the trail was left out, as a sentence; empty where it is whole.
    """

    trail: Trail
    texts: tuple[str, ...]
    said: tuple[str, ...]
    problem: str

    def path(self, at: int) -> list[int]:
        """Return the numbers of the steps that lead from the original to step ``at``, which is the last of them."""
        path = []
        while at:
            path.append(at)
            at = self.trail[at - 1].parent
        return path[::-1]


def write(trail: Trail) -> str:
    """Return a trail as an address has it."""
    return ".".join(
        (f"{step.parent}:" if step.parent != before else "") + edits.write(step.edits)
        for before, step in enumerate(trail)
    )


def read(written: str) -> tuple[Trail, str]:
    """Return the trail of an address as far as it can be read, and what cannot: empty where all can."""
    steps: list[TrailStep] = []
    for number, piece in enumerate(filter(None, written.split("."))):
        matched = _PARENT.fullmatch(piece)
        parent, named = (int(matched[1]), matched[2]) if matched else (number, piece)
        try:
            if number >= MOST or parent > number:
                return tuple(steps), piece
            steps.append(TrailStep(parent, edits.read(named)))
        except EditError:
            return tuple(steps), piece
    return tuple(steps), ""


def walk(text: str, trail: Trail, tokens: Tokens) -> Walked:
    """Return the texts along a trail; a step that its text does not allow ends it."""
    texts, said = [text], list[str]()
    for number, step in enumerate(trail):
        try:
            after = edits.apply(texts[step.parent], step.edits, tokens)
        except EditError as error:
            return Walked(trail[:number], tuple(texts), tuple(said), f"Edit {number + 1} cannot be applied: {error}.")
        said.append(edits.said(texts[step.parent], step.edits, tokens))
        texts.append(after)
    return Walked(trail, tuple(texts), tuple(said), "")


def do(trail: Trail, at: int, done: Sequence[WordEdit]) -> tuple[Trail, int]:
    """Return the trail after one more step from step ``at``, and its number; one that was made before is found again.

    A full trail stays as it is.
    """
    step = TrailStep(at, tuple(done))
    if step in trail:
        return trail, trail.index(step) + 1
    if not step.edits or len(trail) >= MOST:
        return trail, at
    return (*trail, step), len(trail) + 1


def undo(trail: Trail, at: int) -> int:
    """Return the step before step ``at``; the trail keeps what was undone, as a branch to return to."""
    return trail[at - 1].parent if 0 < at <= len(trail) else 0
