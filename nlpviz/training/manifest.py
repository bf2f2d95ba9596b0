"""The manifest of an unfinished run: the part that is the same for every kind of training."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any, Protocol

from nlpviz.runs import Run
from nlpviz.training.provenance import today, versions

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


class TimedEpoch(Protocol):
    """What a record of an epoch has, whatever else it tells."""

    @property
    def epoch(self) -> int:
        """Its number; 0 is before training."""
        ...

    @property
    def seconds(self) -> float:
        """Of its pass."""
        ...


def begun(
    folder: Path, title: str, kind: str, recipe: dict[str, Any], seed: int, records: Sequence[TimedEpoch] = ()
) -> Run:
    """Return a run of which nothing is known but how it was made; :func:`dataclasses.replace` says the rest."""
    run = Run(
        name=folder.name,
        title=title,
        kind=kind,
        architecture="",
        config={},
        class_names=(),
        max_length=0,
        epochs=(),
        best_epoch=0,
        parameters=(),
        metrics={},
        corpus={},
        recipe=recipe,
        device="",
        seconds=0.0,
        seconds_per_epoch=0.0,
        seed=seed,
        created=today(),
        versions=versions(),
        files={},
        folder=folder,
    )
    return paced(run, records)


def paced(run: Run, records: Sequence[TimedEpoch]) -> Run:
    """Return a run with the time of its epochs: all of it, and the median of an epoch of training."""
    seconds = [record.seconds for record in records if record.epoch] or [0.0]
    return replace(
        run,
        seconds=round(sum(record.seconds for record in records), 1),
        seconds_per_epoch=round(median(seconds), 1),
    )


def recipe_of(settings: DataclassInstance, said_elsewhere: Collection[str]) -> dict[str, Any]:
    """Return the fields of a recipe's settings, a dataclass, but those that the manifest holds under another name."""
    return {name: value for name, value in asdict(settings).items() if name not in said_elsewhere}
