"""The learning rate: range tests, schedules, and what training on for longer does without and with dropout."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from nlpviz.experiments.feedforward import known_schedules
from nlpviz.experiments.feedforward.experiment import Choice, Experiment, Say
from nlpviz.experiments.feedforward.rates import range_test
from nlpviz.experiments.feedforward.stored import as_range_test
from nlpviz.experiments.feedforward.training import Examples, TrainingSettings

SCHEDULE, LONGER = "schedule", "longer"
_TESTED, _SEEDS = ("sgd", "momentum", "adam"), 3
_BASE = TrainingSettings(hidden=(64,), optimiser="sgd", epochs=12)
_LONG = replace(_BASE, optimiser="adam", epochs=40)


def tests(examples: Examples, _rates: Mapping[tuple[str, str], float], say: Say) -> dict[str, object]:
    """Return range tests of some optimisers, several seeds each."""
    result = []
    for name in _TESTED:
        say(f"range test: {name}")
        for seed in range(_SEEDS):
            settings = replace(_BASE, optimiser=name, seed=seed)
            result.append(as_range_test(range_test(examples, settings)))
    return {"range_tests": result}


EXPERIMENT = Experiment(
    name="rates",
    title="Learning rates",
    groups={
        SCHEDULE: {name: Choice(one.title, replace(_BASE, schedule=name)) for name, one in known_schedules().items()},
        LONGER: {
            f"dropout-{share}": Choice(
                f"dropout {share}" if share else "no dropout", replace(_LONG, network={"dropout": share})
            )
            for share in (0.0, 0.5, 0.8)
        },
    },
    facts={"hidden": [64], "activation": "relu", "loss": "cross-entropy", "initialisation": "he", "batch": 100},
    extra=tests,
    grid=(3e-4, 1e-3, 3e-3, 1e-2, 3e-2, 1e-1, 3e-1),
)
