"""Losses, activations and schedules as numbers: what each is at some places, by its title."""

from __future__ import annotations

import numpy as np

from nlpviz.experiments.feedforward import Array, known_activations, known_losses, known_schedules
from nlpviz.results.feedforward import Trials


def losses_at(z: Array) -> dict[str, tuple[Array, Array]]:
    """Return every loss of two outputs, z (N,) and 0, where the first class is right: values and derivatives by z."""
    lines = {}
    for loss in known_losses().values():
        graded = [loss.grade(np.array([[one, 0.0]]), np.array([0])) for one in z]
        lines[loss.title] = (np.array([one.loss for one in graded]), np.array([one.gradient[0, 0] for one in graded]))
    return lines


def activations_at(z: Array) -> dict[str, tuple[Array, Array]]:
    """Return every activation of sums z (N,): values and derivatives, (N,) each."""
    return {one.title: ((a := one.value(z)), one.slope(z, a)) for one in known_activations().values()}


def schedule_rates(trials: Trials, group: str) -> tuple[Array, dict[str, Array]]:
    """Return epochs (241,), with fractions, and the learning rate of each schedule among a group's choices there."""
    known, epochs, done = known_schedules(), 0, np.linspace(0, 1, 241)
    rates: dict[str, Array] = {}
    for name, title in trials.choices(group).items():
        if name in known:
            first = trials.of(group, name)[0]
            rates[title] = first.rate * np.array([known[name].factor(float(one)) for one in done])
            epochs = len(first.points) - 1
    return done * epochs, rates
