"""Cyclical rates: up and down in straight lines, three times (Smith 2017, section 3.1)."""

from nlpviz.experiments.feedforward import RateSchedule

CYCLES = 3
LEAST = 0.1
"""The lowest rate, as a share of the highest."""


def wave(done: float) -> float:
    """Return how high within its cycle the rate is: 0, 1 in the middle, 0."""
    within = done * CYCLES % 1 if done < 1 else 1.0
    return 1 - abs(2 * within - 1)


def factor(done: float) -> float:
    """Return the share of the highest rate when a share ``done`` of the training is over."""
    return LEAST + (1 - LEAST) * wave(done)


SCHEDULE = RateSchedule(
    name="triangular",
    title="triangular",
    formula=r"\eta\left(0.1 + 0.9\,\Lambda(3p)\right)",
    source="Smith 2017, Cyclical learning rates for training neural networks",
    factor=factor,
)
