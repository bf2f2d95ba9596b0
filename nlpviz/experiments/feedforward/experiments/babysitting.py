"""Trainings watched layer by layer: rates that are too small, right and too large, and initialisations that differ."""

from __future__ import annotations

from collections.abc import Mapping

from nlpviz.experiments.feedforward.experiment import Experiment, Say
from nlpviz.experiments.feedforward.stored import as_watched
from nlpviz.experiments.feedforward.training import Examples, NetworkTraining, TrainingSettings
from nlpviz.experiments.feedforward.watching import watch

HIDDEN = (64,) * 5
_EPOCHS, _EVERY = 5, 10
_WATCHED: dict[str, tuple[str, dict[str, str], float]] = {
    "relu-he": ("ReLU, He, rate 0.03", {"activation": "relu", "initialisation": "he"}, 0.03),
    "relu-he-small-rate": ("ReLU, He, rate 0.0003", {"activation": "relu", "initialisation": "he"}, 0.0003),
    "relu-he-large-rate": ("ReLU, He, rate 1", {"activation": "relu", "initialisation": "he"}, 1.0),
    "relu-small": ("ReLU, small (0.01), rate 0.03", {"activation": "relu", "initialisation": "small"}, 0.03),
    "relu-zero": ("ReLU, all zero, rate 0.03", {"activation": "relu", "initialisation": "zero"}, 0.03),
    "tanh-xavier": ("tanh, Xavier, rate 0.03", {"activation": "tanh", "initialisation": "xavier"}, 0.03),
    "tanh-large": ("tanh, large (1), rate 0.03", {"activation": "tanh", "initialisation": "large"}, 0.03),
    "sigmoid-xavier": ("sigmoid, Xavier, rate 0.03", {"activation": "sigmoid", "initialisation": "xavier"}, 0.03),
}


def look(examples: Examples, _rates: Mapping[tuple[str, str], float], say: Say) -> dict[str, object]:
    """Return the watched trainings, of seed 0."""
    result = []
    for name, (title, network, rate) in _WATCHED.items():
        say(f"watched: {name}")
        settings = TrainingSettings(hidden=HIDDEN, network=dict(network), optimiser="sgd", rate=rate, epochs=_EPOCHS)
        result.append(as_watched(watch(NetworkTraining(examples, settings), name, title, _EVERY)))
    return {"watched": result}


EXPERIMENT = Experiment(
    name="babysitting",
    title="Layer by layer",
    groups={},
    facts={"hidden": list(HIDDEN), "optimiser": "sgd", "batch": 100, "loss": "cross-entropy", "epochs": _EPOCHS},
    extra=look,
)
