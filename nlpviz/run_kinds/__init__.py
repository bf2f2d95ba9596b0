"""Kinds of runs, one a module: what a run of this kind is beyond its manifest, and how it is shown and measured.

A run's manifest names its kind. What differs from kind to kind is said here and nowhere else: what the folder holds,
the columns of the history and the curves that are drawn of them, the number that a run is judged by, the columns of
tables, how a run is evaluated and finished, and which commands and pages ask it. A kind is listed without torch:
whatever needs it is imported inside the functions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlpviz.discovery import discover
from nlpviz.results.history import Curve, Measure
from nlpviz.run_kinds.parts import (
    Answer,
    Answers,
    Column,
    Criterion,
    Evaluation,
    Headline,
    Option,
    Request,
    Say,
    Survey,
    UsageError,
)
from nlpviz.runs import Run, RunError
from nlpviz.runs.history import read_history

if TYPE_CHECKING:
    from nlpviz.results.projection import Projection, WordMap
    from nlpviz.run_kinds.contract import Contract

__all__ = [
    "EPOCH",
    "TEXTS",
    "Answer",
    "Answers",
    "Column",
    "Criterion",
    "Curve",
    "Evaluation",
    "Headline",
    "Kind",
    "Measure",
    "Option",
    "Request",
    "Say",
    "Survey",
    "UsageError",
    "chosen_epoch",
    "history",
    "kind_of",
    "kinds",
    "parameters",
]

EPOCH = Option("--epoch", int, "epoch of the checkpoint (default: the best epoch)")
TEXTS = Option(
    "--texts",
    Path,
    "file of your own texts, one per line (default: the corpus’s test split); to evaluate a "
    "classifier, a CSV, TSV, JSON lines or Parquet file with labels",
)


def nothing(run: Run, _: Say) -> Run:
    """Return a run as it is."""
    return run


def _no_files(_: Run) -> frozenset[str]:
    return frozenset()


def _silent(_: Run, __: Sequence[Any]) -> tuple[Answer, ...]:
    return ()


def _unsaid(_: Run) -> str:
    return ""


@dataclass(frozen=True)
class Kind:
    """What a module under ``nlpviz.run_kinds`` exports as ``KIND``.

    Attributes:
        name: in a run's manifest, for example ``"classifier"``.
        says: what follows a run's name in a sentence: ``"is a classifier"``.
        table: the heading of the table of its runs; kinds with the same one stand in one table.
        headline: the number that a run is judged by.
        evaluate: measures a run again.
        columns: of tables, the headline among them.
        criterion: what decides between a run and the one that it is to replace; None: the newer one always does.
        record: a line of ``history.csv``, as :mod:`nlpviz.runs.history` takes it; None where there are no epochs.
        measures: the panels of the training curves.
        files: the files that a run is made of, besides its manifest and its card.
        learnt: what the page of training says of a run with its history.
        reading: Markdown that says how to read the curves of a run.
        options: of ``evaluate``, besides ``--device`` and ``--json``.
        evaluate_file: measures the user's file in place of a run; None where the kind has no such measure.
        predictor: what predicts the classes of any texts by a run's epoch (0 where it has none) on a device; None where
            its runs predict none.
        finish: adds to a run just made what is read off it.
        essentials: adds of that only what its pages cannot do without, in a few minutes; None where that is all of it.
        maps: computes all maps of a run with a seed, writes them into its folder and returns them; None where it has
            none.
        survey: reads the corpus again with a run; None where there is nothing to read.
        surveys: what ``survey --all`` adds where a run lacks it, the worthiest part first.
        commands: those that ask such a run, besides ``runs``, ``train`` and ``evaluate``.
        refusals: the message, in place of ``says``, of a command that takes no such run, by its name.
        pages: the names of those that ask such a run, besides that of training.
        contract: what its models promise; None where it has none of its own.
        beside: what is said of a run beside one of this kind, on the same corpus; None where these are no baselines.
        group: what a table sorts its runs by before the headline.
        worth: sorts the runs to begin with, the first one last; by default the headline.
        order: of tables and controls, small first.
    """

    name: str
    says: str
    table: str
    headline: Headline
    evaluate: Callable[[Run, Request], Evaluation]
    columns: tuple[Column, ...]
    criterion: Criterion | None = None
    record: type[Any] | None = None
    measures: tuple[Measure, ...] = ()
    files: Callable[[Run], frozenset[str]] = _no_files
    learnt: Callable[[Run, Sequence[Any]], tuple[Answer, ...]] = _silent
    reading: Callable[[Run], str] = _unsaid
    options: tuple[Option, ...] = ()
    evaluate_file: Callable[[Path, Request], Evaluation] | None = None
    predictor: Callable[[Run, int, str], Answers] | None = None
    finish: Callable[[Run, Say], Run] = nothing
    essentials: Callable[[Run, Say], Run] | None = None
    maps: Callable[[Run, int, Say], Sequence[Projection] | Sequence[WordMap]] | None = None
    survey: Callable[[Run, Say], Run] | None = None
    surveys: tuple[Survey, ...] = ()
    commands: tuple[str, ...] = ()
    refusals: Mapping[str, str] = field(default_factory=dict)
    pages: tuple[str, ...] = ()
    contract: Callable[[], Contract] | None = None
    beside: Callable[[Run, Run], Answer] | None = None
    group: Callable[[Run], tuple[str, ...]] = lambda _: ()
    worth: Callable[[Run], tuple[float, ...]] | None = None
    order: int = 100


def kinds() -> dict[str, Kind]:
    """Return every kind by name, in the order of tables."""
    found = discover("nlpviz.run_kinds", "KIND", Kind)
    return {name: found[name] for name in sorted(found, key=lambda name: found[name].order)}


def kind_of(run: Run) -> Kind:
    """Return the kind of a run.

    Raises:
        RunError: if this version does not know it.
    """
    known: Kind | None = discover("nlpviz.run_kinds", "KIND", Kind).get(
        run.kind
    )  # not sorted: pages ask hundreds of runs
    if known is None:
        raise RunError(f"The run {run.name!r} has the kind {run.kind!r}, which this version does not support.")
    return known


def history(run: Run) -> tuple[Any, ...]:
    """Return what each epoch of a run cost and reached, as its kind's records; none where it has no epochs.

    Raises:
        RunError: if its kind is unknown, or the file damaged.
    """
    record = kind_of(run).record
    return () if record is None or not run.epochs else read_history(run, record)


def chosen_epoch(run: Run) -> str:
    """Return which epoch was chosen, of how many: ``"7 of 9"``."""
    return f"{run.best_epoch} of {history(run)[-1].epoch}" if run.epochs else "no epochs"


def parameters(run: Run) -> str:
    """Return the number of trainable parameters, as a table holds it."""
    return f"{run.parameter_count:,}"
