"""The progress of a training in another process: its finished runs, and the records of its epochs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nlpviz.data.own_texts import OwnTextsError
from nlpviz.data.own_texts.names import RECIPE
from nlpviz.data.own_texts.recipe import RunRecipe, read_recipe
from nlpviz.results.history import EpochRecord, LanguageEpoch, TranslatorEpoch, WordEpoch
from nlpviz.runs import own_root
from nlpviz.runs.folders import MANIFEST
from nlpviz.runs.own_corpora import STATE, UNFINISHED
from nlpviz.training.queue import Queued

_RECORDS: dict[str, type[Any]] = {
    "classifier": EpochRecord,
    "language-model": LanguageEpoch,
    "translator": TranslatorEpoch,
    "word-vectors": WordEpoch,
}
_TRAINING = 0.7
"""Share of a network's time that its epochs take; maps and surveys take the rest."""


@dataclass(frozen=True)
class RunSoFar:
    """One run of a training.

    Attributes:
        name: of the run.
        title: what people call it.
        kind: of the run.
        made: whether it is finished.
        epochs: at most so many; 0 of a run without epochs.
        records: of the epochs that are done, as its kind records them.
        seed: of its training.
    """

    name: str
    title: str
    kind: str
    made: bool
    epochs: int
    records: tuple[Any, ...]
    seed: int

    @property
    def share(self) -> float:
        """About how much of it is done, 0 to 1."""
        if self.made:
            return 1.0
        return _TRAINING * max(len(self.records) - 1, 0) / self.epochs if self.epochs else 0.0


def so_far(job: Queued) -> tuple[RunSoFar, ...]:
    """Return how far each run of a training is, in the order in which they are made; nothing of a damaged recipe."""
    try:
        recipe = read_recipe(job.folder / RECIPE)
    except OwnTextsError:
        return ()
    return tuple(_so_far(run) for run in recipe.runs)


def share(runs: Sequence[RunSoFar]) -> float:
    """Return about how much of all runs is done, 0 to 1."""
    return sum(run.share for run in runs) / max(len(runs), 1)


def _so_far(run: RunRecipe) -> RunSoFar:
    unfinished = own_root() / UNFINISHED / run.name
    made = (own_root() / run.name / MANIFEST).is_file() and not unfinished.is_dir()
    fit = run.settings.get("fit") or run.settings.get("settings", {})
    records = _records(unfinished / STATE, _RECORDS[run.kind]) if run.kind in _RECORDS and not made else ()
    seed = fit.get("seed", run.settings.get("seed", 0))
    return RunSoFar(run.name, run.title, run.kind, made, int(fit.get("epochs", 0)), records, int(seed))


def _records(path: Path, record: type[Any]) -> tuple[Any, ...]:
    """Return what the epochs of a run reached, as its state says; nothing before the first or while it moves."""
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, "np") as state:
            return tuple(record(**values) for values in json.loads(state.metadata()["records"]))
    except (OSError, SafetensorError, KeyError, TypeError, ValueError):
        return ()
