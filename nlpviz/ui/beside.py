"""Results of several checkpoints beside each other: two in a row, one under the other on a phone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from nlpviz.figures import panels
from nlpviz.runs import Checkpoint, Run
from nlpviz.ui.frame import escape_markdown, messages

_IN_A_ROW = 2


class OfClass(Protocol):
    """A result that speaks of one class."""

    @property
    def target(self) -> int:
        """The index of the class."""
        ...


Result = TypeVar("Result", bound=OfClass)


def chosen(checkpoints: Sequence[Checkpoint]) -> Checkpoint:
    """Return the one that the others are compared with: the last epoch of the first run."""
    return [checkpoint for checkpoint in checkpoints if checkpoint.run.name == checkpoints[0].run.name][-1]


def of_one_class(
    checkpoints: Sequence[Checkpoint], target: str | None, result: Callable[[Run, int, int | None], Result]
) -> tuple[Result, ...]:
    """Return a result for each checkpoint, all of the same class.

    A run without that class is left out, and the page says so.

    Args:
        checkpoints: the chosen run's first.
        target: a class's name; what names none takes the class that the chosen run's last epoch predicts.
        result: from a run, an epoch and the index of a class, or None for the predicted one.
    """
    first = chosen(checkpoints)
    names = first.run.class_names
    wanted = names.index(target) if target in names else None
    name = names[result(first.run, first.epoch, wanted).target]
    return tuple(result(run, epoch, run.class_names.index(name)) for run, epoch in with_class(checkpoints, name))


def with_class(checkpoints: Sequence[Checkpoint], name: str) -> list[Checkpoint]:
    """Return the checkpoints whose run has a class of that name; the page says which are left out."""
    for title in sorted({run.title for run, _ in checkpoints if name not in run.class_names}):
        messages().info(f"{escape_markdown(title)} has no class {escape_markdown(name)}: it cannot be compared.")
    return [checkpoint for checkpoint in checkpoints if name in checkpoint.run.class_names]


def cells(results: Sequence[panels.OfCheckpoint]) -> list[tuple[str, DeltaGenerator]]:
    """Return what each result is called, and the part of the page where it goes; a single one has the whole width."""
    columns = [
        column
        for first in range(0, len(results), _IN_A_ROW)
        for column in st.columns(min(len(results), _IN_A_ROW), gap="medium")[: len(results) - first]
    ]
    return [(panel.title, column) for panel, column in zip(panels.arrange(results), columns, strict=True)]
