"""Watching a training layer by layer: the length of updates, what units answer, how much gradient arrives.

Karpathy's notes for CS231n ("Babysitting the learning process") ask for the ratio of updates to weights, about 1/1,000;
Glorot and Bengio (2010, section 4) show activations and gradients by layer.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nlpviz.experiments.feedforward import Array
from nlpviz.experiments.feedforward.network import Backwards
from nlpviz.experiments.feedforward.training import NetworkTraining
from nlpviz.results.layers_watched import WatchedLayer, WatchedTraining

_Seen = tuple[float, float, float, float, float]


def watch(training: NetworkTraining, name: str, title: str, every: int) -> WatchedTraining:
    """Take all steps of a training, and return what was seen at its first step and at every so many."""
    steps, losses, seen = [], [], []
    while not training.over:
        before = training.weights.copy()
        backwards = training.step()
        if backwards is None:
            break
        if training.steps == 1 or training.steps % every == 0:
            steps.append(training.steps)
            losses.append(backwards.loss)
            seen.append(_seen(training, before, backwards))
    training.note()
    columns = np.array(seen, dtype=float).reshape(len(steps), -1, 5)  # (S, layers, 5)
    last = columns.shape[1] - 1
    layers = [
        WatchedLayer("output" if number == last else f"hidden {number + 1}", *columns[:, number].T)
        for number in range(last + 1)
    ]
    accuracy = training.points[-1].validation_accuracy
    return WatchedTraining(name, title, np.array(steps), np.array(losses), layers, accuracy, training.diverged)


def _seen(training: NetworkTraining, before: Array, backwards: Backwards) -> Sequence[_Seen]:
    """Return of each layer: ratio, mean, spread, flat share, size of δ (times the batch: of one example's loss)."""
    network, result = training.network, []
    layers = zip(network.layers(before), network.layers(training.weights), strict=True)
    for number, (old, new) in enumerate(layers):
        length = float(np.linalg.norm(old.weights))
        ratio = float(np.linalg.norm(new.weights - old.weights)) / length if length else float("nan")
        hidden = number + 1 < len(backwards.passed.entering)
        values = backwards.passed.entering[number + 1] if hidden else backwards.passed.outputs
        flat = float(network.activation.flat(values).mean()) if hidden else 0.0
        delta = backwards.deltas[number] * len(values)
        size = float(np.sqrt((delta.astype(np.float64) ** 2).mean()))
        result.append((ratio, float(values.mean()), float(values.std()), flat, size))
    return result
