"""The committed curves of the experiments; ``python -m nlpviz train-curves EXPERIMENT --write`` makes them again.

``curves/<experiment>.json`` holds all of one: how it was made, a row for each epoch of each trial, what else was seen.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from nlpviz.experiments.feedforward import FeedForwardError
from nlpviz.results.descents import EpochPlane
from nlpviz.results.feedforward import NetworkPoint, Trial, Trials
from nlpviz.results.layers_watched import RangeTest, WatchedLayer, WatchedTraining

FOLDER = Path(__file__).with_name("curves")
_LAYER = ("ratio", "mean", "spread", "flat", "gradient")


def write_trials(trials: Trials, folder: Path = FOLDER) -> None:
    """Write an experiment in place of what there is of it."""
    folder.mkdir(parents=True, exist_ok=True)
    facts = {
        "name": trials.name,
        "per_epoch": trials.per_epoch,
        "device": trials.device,
        "created": trials.created,
        "facts": trials.facts,
        "trials": [
            {**{key: value for key, value in vars(trial).items() if key != "points"}, "points": list(trial.points)}
            for trial in trials.trials
        ],
        "extra": trials.extra,
    }
    text = json.dumps(_plain(facts), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    (folder / f"{trials.name}.json").write_text(text.replace('{"choice"', '\n{"choice"') + "\n", encoding="utf-8")


@lru_cache(maxsize=8)
def read_trials(name: str, folder: Path = FOLDER) -> Trials:
    """Return the committed trials of an experiment.

    Raises:
        FeedForwardError: if there are none, or they are damaged.
    """
    try:
        facts = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
        trials = tuple(_trial(one) for one in facts["trials"])
        return Trials(
            facts["name"], trials, facts["per_epoch"], facts["facts"], facts["device"], facts["created"], facts["extra"]
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise FeedForwardError(
            f"There are no stored curves for {name!r}. Create them with `python -m nlpviz train-curves {name} --write`."
        ) from error


def planes(trials: Trials) -> dict[str, EpochPlane]:
    """Return the planes through the epochs, by name."""
    return {name: EpochPlane(name, **_arrays(one)) for name, one in _part(trials, "planes").items()}


def range_tests(trials: Trials) -> list[RangeTest]:
    """Return the range tests."""
    return [RangeTest(**_arrays(one)) for one in _part(trials, "range_tests")]


def watched(trials: Trials) -> dict[str, WatchedTraining]:
    """Return the trainings of which every layer was watched, by name."""
    return {one["name"]: _watched(one) for one in _part(trials, "watched")}


def as_plane(plane: EpochPlane) -> dict[str, object]:
    """Return a plane as it is stored."""
    return {key: value for key, value in vars(plane).items() if key != "name"}


def as_range_test(test: RangeTest) -> dict[str, object]:
    """Return a range test as it is stored."""
    return dict(vars(test))


def as_watched(training: WatchedTraining) -> dict[str, object]:
    """Return a watched training as it is stored."""
    layers = [{"name": one.name} | {key: getattr(one, key) for key in _LAYER} for one in training.layers]
    return {**vars(training), "layers": layers}


def _part(trials: Trials, name: str) -> Any:  # noqa: ANN401 - JSON
    if name not in trials.extra:
        raise FeedForwardError(f"The stored curves of {trials.name!r} contain no {name.replace('_', ' ')}.")
    return trials.extra[name]


def _trial(one: Mapping[str, Any]) -> Trial:
    points = tuple(NetworkPoint(row[0], *(_number(value) for value in row[1:])) for row in one["points"])
    return Trial(**{**one, "points": points})


def _watched(one: Mapping[str, Any]) -> WatchedTraining:
    layers = [WatchedLayer(layer["name"], *(_array(layer[key]) for key in _LAYER)) for layer in one["layers"]]
    steps = np.array(one["steps"], dtype=np.int64)
    return WatchedTraining(**{**one, "steps": steps, "losses": _array(one["losses"]), "layers": layers})


def _arrays(one: Mapping[str, Any]) -> dict[str, Any]:
    """Return what was stored with its lists as arrays, one level down as well."""
    result: dict[str, Any] = {}
    for key, value in one.items():
        if isinstance(value, dict):
            result[key] = {name: _array(some) for name, some in value.items()}
        else:
            result[key] = _array(value) if isinstance(value, list) and key != "share" else value
    return result | ({"share": tuple(one["share"])} if "share" in one else {})


def _array(values: Sequence[Any]) -> np.ndarray:
    return np.array(values, dtype=np.float64)  # null becomes NaN


def _number(value: float | None) -> float:
    return float("nan") if value is None else value


def _plain(value: object) -> object:
    """Return ``value`` as JSON has it: arrays as lists, numbers with five digits, what is no number as null."""
    if isinstance(value, np.ndarray):
        return _plain(value.tolist())
    if isinstance(value, Mapping):
        return {key: _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    if isinstance(value, float | np.floating):
        return float(f"{value:.5g}") if np.isfinite(value) else None
    return value
