"""Results of several checkpoints beside each other: two in a row, or three; one under the other on a phone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from typing import Protocol, TypeVar

import numpy as np
import streamlit as st
from numpy.typing import NDArray
from streamlit.delta_generator import DeltaGenerator

from nlpviz.figures import panels
from nlpviz.results.explanation import NO_EPOCH
from nlpviz.runs import Checkpoint, Run
from nlpviz.ui import cache
from nlpviz.ui.calls import Call
from nlpviz.ui.frame import escape_markdown, messages

_IN_A_ROW = 2
TAKEAWAY = 15
"""Words that a takeaway has at most."""
_PREDICTION = 2  # words: a class and its probability


class OfPrediction(panels.OfCheckpoint, Protocol):
    """What a checkpoint makes of a text."""

    @property
    def class_names(self) -> Sequence[str]:
        """The names of its classes."""
        ...

    @property
    def predicted(self) -> int:
        """The index of the likeliest class."""
        ...

    @property
    def probabilities(self) -> NDArray[np.float32]:
        """The probability of each class."""
        ...


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
    checkpoints: Sequence[Checkpoint], target: str | None, result: Callable[[Run, int, int | None], Call[Result]]
) -> tuple[Call[Result], ...]:
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
    name = names[result(first.run, first.epoch, wanted)().target]
    return tuple(result(run, epoch, run.class_names.index(name)) for run, epoch in with_class(checkpoints, name))


def with_class(checkpoints: Sequence[Checkpoint], name: str) -> list[Checkpoint]:
    """Return the checkpoints whose run has a class of that name; the page says which are left out."""
    for title in sorted({run.title for run, _ in checkpoints if name not in run.class_names}):
        messages().info(
            f"{escape_markdown(title)} cannot be compared, because it has no class {escape_markdown(name)}."
        )
    return [checkpoint for checkpoint in checkpoints if name in checkpoint.run.class_names]


def cells(results: Sequence[panels.OfCheckpoint], together: int = _IN_A_ROW) -> list[tuple[str, DeltaGenerator]]:
    """Return what each result is called, and the part of the page where it goes; a single one has the whole width.

    Args:
        results: one for each checkpoint.
        together: up to so many of them share one row; more go two in a row.
    """
    in_a_row = len(results) if len(results) <= together else _IN_A_ROW
    with st.container(key="nlpviz_beside") if in_a_row > _IN_A_ROW else nullcontext():
        columns = [
            column
            for first in range(0, len(results), in_a_row)
            for column in st.columns(in_a_row, gap="medium")[: len(results) - first]
        ]
    return list(zip(titles(results), columns, strict=True))


def titles(results: Sequence[panels.OfCheckpoint]) -> list[str]:
    """Return what people call each of several checkpoints: ``Epoch 7``; of more than one run ``CNN on IMDB``."""
    if len({result.run for result in results}) == 1:
        return [f"Epoch {result.epoch}" for result in results]
    return [called(result) for result in results]


def called(result: panels.OfCheckpoint) -> str:
    """Return what people call a checkpoint: its run's title, and its epoch where that is not the best one."""
    run = cache.runs()[result.run]
    return run.title if result.epoch in (run.best_epoch, NO_EPOCH) else f"{run.title}, epoch {result.epoch}"


def called_within(result: panels.OfCheckpoint, words: int) -> str:
    """Return what people call a checkpoint in so many words: without its epoch or its run where both are too long."""
    title = cache.runs()[result.run].title
    return next((name for name in (called(result), title) if len(name.split()) <= words), f"Epoch {result.epoch}")


def predictions(results: Sequence[OfPrediction], after: int) -> tuple[str, dict[str, object]]:
    """Return the beginning of a takeaway: what the network predicts, and its pieces.

    Of two checkpoints both predictions are given, as far as the words of a takeaway allow it; else that of
    :func:`nlpviz.figures.panels.reference`.

    Args:
        results: of one text.
        after: how many words follow.
    """
    first = panels.reference(results)
    told = [first, *(one for one in results if one is not first)] if len(results) == 2 else [first]
    names = [called(one) for one in told]
    if len(told) == 2 and told[0].run == told[1].run:
        names[1] = f"epoch {told[1].epoch}"
    if sum(len(name.split()) + _PREDICTION for name in names) + after > TAKEAWAY:
        told, names = [first], [called_within(first, TAKEAWAY - _PREDICTION - after)]
    pieces: dict[str, object] = {}
    for place, (one, name) in enumerate(zip(told, names, strict=True)):
        pieces |= {f"checkpoint{place}": name, f"label{place}": one.class_names[one.predicted]}
        pieces[f"share{place}"] = float(one.probabilities[one.predicted])
    said = (f"{{checkpoint{place}}}: **{{label{place}}}**, {{share{place}:.0%}}" for place in range(len(told)))
    return "; ".join(said), pieces
