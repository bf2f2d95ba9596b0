"""The manifest of an unfinished run: the part that is the same for every kind of training."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any, Protocol

from nlpviz.data import Corpus
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


def begun(folder: Path, title: str, kind: str, settings: DataclassInstance, hidden: Collection[str] = ()) -> Run:
    """Return a run of which nothing is known but its recipe; :func:`dataclasses.replace` says the rest.

    Args:
        folder: of the run.
        title: what people call it.
        kind: of run.
        settings: of its recipe.
        hidden: fields of these that the manifest does not hold as a part of the recipe.
    """
    loop: Any = getattr(settings, "fit", settings)  # whose seed is that of the run
    return Run(
        name=folder.name,
        title=title,
        kind=kind,
        architecture=getattr(settings, "architecture", ""),
        config={},
        class_names=getattr(settings, "class_names", ()),
        max_length=getattr(settings, "max_length", 0),
        epochs=(),
        best_epoch=0,
        parameters=(),
        metrics={},
        corpus={"name": settings.corpus},  # type: ignore[attr-defined]
        recipe={name: value for name, value in asdict(settings).items() if name not in hidden},
        device="",
        seconds=0.0,
        seconds_per_epoch=0.0,
        seed=loop.seed,
        created=today(),
        versions=versions(),
        files={},
        folder=folder,
    )


def paced(run: Run, records: Sequence[TimedEpoch]) -> Run:
    """Return a run with the time of its epochs: all of it, and the median of an epoch of training."""
    seconds = [record.seconds for record in records if record.epoch] or [0.0]
    return replace(
        run,
        seconds=round(sum(record.seconds for record in records), 1),
        seconds_per_epoch=round(median(seconds), 1),
    )


def measured(run: Run, corpus: Corpus, metrics: Mapping[str, Mapping[str, float]], **sizes: int) -> Run:
    """Return a run with what was measured of it, and on which version of its corpus: the sizes of further splits."""
    known = {split: size for split, size in run.corpus.items() if split != "name"}
    about = {"name": corpus.name, "sha256": corpus.sha256[0], **known, **sizes}
    return replace(run, metrics={**run.metrics, **metrics}, corpus=about)
