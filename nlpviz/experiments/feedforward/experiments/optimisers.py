"""Every optimiser on one network: bags of words of 20 Newsgroups, one hidden layer, its own best rate of a grid."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from nlpviz.experiments.feedforward import Array
from nlpviz.experiments.feedforward.experiment import Choice, Experiment, Say
from nlpviz.experiments.feedforward.plane import plane_of
from nlpviz.experiments.feedforward.stored import as_plane
from nlpviz.experiments.feedforward.training import Examples, NetworkTraining, TrainingSettings
from nlpviz.experiments.optimisers import optimisers

GROUP = "optimiser"
TOGETHER = "together"
"""The plane of several optimisers from the same initial weights."""
_JOINED = ("sgd", "momentum", "adagrad", "rmsprop", "adam")
_MEASURED = 1_000  # training posts on which the losses of a plane are taken
_BASE = TrainingSettings(hidden=(64,), epochs=10)


def planes(examples: Examples, rates: Mapping[tuple[str, str], float], say: Say) -> dict[str, object]:
    """Return the planes through the epochs of seed 0 of every optimiser, and of several together."""
    some = examples.train[0][:_MEASURED], examples.train[1][:_MEASURED]
    trajectories: dict[str, list[Array]] = {}
    for name in optimisers():
        training = NetworkTraining(examples, replace(_BASE, optimiser=name, rate=rates[GROUP, name]))
        trajectories[name] = [training.weights.copy()]
        while not training.over:
            training.epoch()
            trajectories[name].append(training.weights.copy())
    asked = {name: {name: path} for name, path in trajectories.items()}
    asked[TOGETHER] = {name: trajectories[name] for name in _JOINED}
    result: dict[str, object] = {}
    for name, paths in asked.items():
        say(f"plane: {name}")
        result[name] = as_plane(plane_of(name, training.network, paths, some))
    return {"planes": result}


EXPERIMENT = Experiment(
    name="optimisers",
    title="Optimisers",
    groups={GROUP: {name: Choice(one.title, replace(_BASE, optimiser=name)) for name, one in optimisers().items()}},
    facts={"hidden": [64], "activation": "relu", "loss": "cross-entropy", "initialisation": "he", "batch": 100},
    extra=planes,
)
