"""Experiments: many trainings of one network, one thing varied at a time, each with a learning rate of its own.

The rate of each choice is that of a grid with the best validation accuracy, of trainings whose seed is not among those
that are reported. The test examples are measured once for a training, at its best epoch by validation accuracy.
"""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime

import numpy as np

from nlpviz.discovery import discover
from nlpviz.experiments.feedforward.training import Examples, NetworkTraining, TrainingSettings
from nlpviz.results.feedforward import Trial, Trials

GRID = (1e-4, 3e-4, 1e-3, 3e-3, 1e-2, 3e-2, 1e-1, 3e-1, 1.0, 3.0, 10.0)
TRIED = (100,)
"""Seeds on which rates are chosen where an experiment does not name others."""
_FURTHER = 2  # rates that are tried on further seeds
Say = Callable[[str], None]


@dataclass(frozen=True)
class Choice:
    """One thing that can be chosen, with all else that it is trained with.

    Attributes:
        title: what people call it.
        settings: of its training, but for rate and seed.
    """

    title: str
    settings: TrainingSettings


@dataclass(frozen=True)
class Experiment:
    """What a module under ``experiments`` exports as ``EXPERIMENT``.

    Attributes:
        name: as on the command line.
        title: what people call it.
        groups: the choices that are compared, by kind and name.
        facts: what else is to be known.
        seeds: trainings of each choice.
        extra: what else is measured, from the examples and the rates that were chosen by (group, choice).
        grid: the rates that are tried.
        tried: the seeds on which they are tried, none of those that are reported.
    """

    name: str
    title: str
    groups: Mapping[str, Mapping[str, Choice]]
    facts: Mapping[str, object]
    seeds: int = 8
    extra: Callable[[Examples, Mapping[tuple[str, str], float], Say], Mapping[str, object]] | None = None
    grid: tuple[float, ...] = GRID
    tried: tuple[int, ...] = TRIED


def experiments() -> dict[str, Experiment]:
    """Return every experiment, by name."""
    return discover("nlpviz.experiments.feedforward.experiments", "EXPERIMENT", Experiment)


def conduct(experiment: Experiment, examples: Examples, say: Say) -> Trials:
    """Return the trials of an experiment, and what else it measures."""
    rates: dict[tuple[str, str], float] = {}
    found: dict[str, float] = {}
    for group, choices in experiment.groups.items():
        for name, choice in choices.items():
            same = repr(choice.settings)  # what every group is compared with stands in each of them
            if same not in found:
                found[same] = best_rate(choice.settings, examples, experiment.grid, experiment.tried)
            rates[group, name] = found[same]
            say(f"{group}: {name}: learning rate {rates[group, name]:g}")
    trials = tuple(_trials(experiment, examples, rates, say))
    extra = experiment.extra(examples, rates, say) if experiment.extra else {}
    steps = {-(-len(examples.train[1]) // one.settings.batch) for some in experiment.groups.values()
             for one in some.values()}  # fmt: skip
    return Trials(
        name=experiment.name,
        trials=trials,
        per_epoch=max(steps, default=0),
        facts={**experiment.facts, "examples": len(examples.train[1]), "inputs": examples.train[0].shape[1]},
        device=f"cpu: 1 thread, {platform.machine()}",
        created=datetime.now(UTC).date().isoformat(),
        extra=extra,
    )


def best_rate(
    settings: TrainingSettings, examples: Examples, grid: tuple[float, ...] = GRID, seeds: tuple[int, ...] = TRIED
) -> float:
    """Return the rate of the grid with the best validation accuracy at any epoch; of several the smallest.

    All rates are tried on the first of ``seeds``; where there are more, the best two on these as well, and the better
    one on average over all seeds is taken.
    """
    reached = {rate: [_validated(settings, examples, rate, seeds[0])] for rate in grid}
    for rate in sorted(grid, key=lambda rate: -reached[rate][0])[:_FURTHER] if seeds[1:] else ():
        reached[rate] += [_validated(settings, examples, rate, seed) for seed in seeds[1:]]
    finalists = [rate for rate in grid if len(reached[rate]) == len(seeds)]
    return max(finalists, key=lambda rate: float(np.mean(reached[rate])))


def _validated(settings: TrainingSettings, examples: Examples, rate: float, seed: int) -> float:
    """Return the best validation accuracy at any epoch of one training."""
    training = NetworkTraining(examples, replace(settings, rate=rate, seed=seed))
    while not training.over:
        training.epoch()
    return max(point.validation_accuracy for point in training.points)


def conduct_one(choice: Choice, place: tuple[str, str], examples: Examples, rate: float, seed: int) -> Trial:
    """Return one trial: the weights of the best epoch by validation accuracy are measured on the test examples."""
    training = NetworkTraining(examples, replace(choice.settings, rate=rate, seed=seed))
    best, kept = training.points[0].validation_accuracy, training.weights.copy()
    while not training.over:
        training.epoch()
        if training.points[-1].validation_accuracy > best:
            best, kept = training.points[-1].validation_accuracy, training.weights.copy()
    test = training.network.measure(kept, *examples.test)[1] if examples.test else float("nan")
    return Trial(
        place[1], choice.title, place[0], seed, rate, tuple(training.points), test, training.seconds, training.diverged
    )


def _trials(
    experiment: Experiment, examples: Examples, rates: Mapping[tuple[str, str], float], say: Say
) -> Iterator[Trial]:
    done: dict[tuple[str, int], Trial] = {}
    for group, choices in experiment.groups.items():
        for name, choice in choices.items():
            for seed in range(experiment.seeds):
                same = repr(choice.settings), seed
                if same not in done:
                    done[same] = conduct_one(choice, (group, name), examples, rates[group, name], seed)
                trial = replace(done[same], choice=name, title=choice.title, group=group)
                say(
                    f"{group}: {name}, seed {seed}: test accuracy {trial.test:.3f} at epoch {trial.best}, "
                    f"{trial.seconds:.1f} s"
                )
                yield trial
