"""Runs of the same recipe that differ only in their seed: which results are due to chance."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from nlpviz.runs.run import Run

_WITHOUT_WEIGHT = {"seed", "kept_epochs", "eight_bits", "large", "moments", "rounding", "surveyed_epochs"}
"""Settings of a recipe that do not say what is learnt from what: chance, and what is kept, how, or logged."""
_OFF: tuple[object, ...] = (None, 0, "", [], ())


def of_another_seed(run: Run, others: Iterable[Run]) -> Run | None:
    """Return the first of ``others`` that differs from ``run`` only in its seed; None if there is none."""
    return next((other for other in others if other.seed != run.seed and _learnt(other) == _learnt(run)), None)


def seeds_of(run: Run, others: Iterable[Run]) -> list[Run]:
    """Return those of ``others`` that differ from ``run`` only in their seed, by seed, one per seed."""
    found: dict[int, Run] = {}
    for other in others:
        if other.seed != run.seed and _learnt(other) == _learnt(run):
            found.setdefault(other.seed, other)
    return [found[seed] for seed in sorted(found)]


def _learnt(run: Run) -> tuple[object, ...]:
    """Return all that says what a run learnt from what, but for the seed."""
    return run.kept("learnt from what", _all_learnt)


def _all_learnt(run: Run) -> tuple[object, ...]:
    return run.architecture, _settings(run.config), run.corpus.get("sha256"), _settings(run.recipe)


def _settings(recipe: Mapping[str, Any]) -> dict[str, Any]:
    """Return what has weight; a setting that is off is as one that did not exist when a run was made."""
    return {
        key: _settings(value) if isinstance(value, Mapping) else value
        for key, value in recipe.items()
        if key not in _WITHOUT_WEIGHT and value not in _OFF
    }
