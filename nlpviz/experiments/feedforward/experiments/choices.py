"""Losses, activations, initialisations and dropout: one varied at a time, each with its own best rate of a grid."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from nlpviz.experiments.feedforward import (
    Activation,
    Initialisation,
    Loss,
    known_activations,
    known_initialisations,
    known_losses,
)
from nlpviz.experiments.feedforward.experiment import GRID, Choice, Experiment
from nlpviz.experiments.feedforward.training import TrainingSettings

DROPOUT = (0.0, 0.2, 0.4, 0.6, 0.8)
BASE = {"loss": "cross-entropy", "activation": "relu", "initialisation": "he", "dropout": "0.0"}
"""What every training has but for what it varies, and what each choice is compared with."""
_BASE = TrainingSettings(hidden=(64, 64, 64), optimiser="sgd", epochs=10)
_THERE: Mapping[str, Mapping[str, Activation | Loss | Initialisation]] = {
    "loss": known_losses(),
    "activation": known_activations(),
    "initialisation": known_initialisations(),
}


def _varied(group: str, value: object) -> TrainingSettings:
    base = {**BASE, "dropout": float(BASE["dropout"])}
    return replace(_BASE, network={**base, group: value})


EXPERIMENT = Experiment(
    name="choices",
    title="Losses, activations, initialisations, dropout",
    groups={
        group: {name: Choice(one.title, _varied(group, name)) for name, one in there.items()}
        for group, there in _THERE.items()
    }
    | {"dropout": {str(share): Choice(f"{share:.0%}", _varied("dropout", share)) for share in DROPOUT}},
    seeds=6,
    grid=GRID[2:-1],
    tried=(100, 101, 102),
    facts={"hidden": [64, 64, 64], "optimiser": "sgd", "batch": 100, **BASE},
)
