"""Cyclical rates whose swing shrinks exponentially, to a tenth at the end (Smith 2017, section 3.1)."""

import math

from nlpviz.experiments.feedforward import RateSchedule
from nlpviz.experiments.feedforward.schedules.triangular import LEAST, wave

SHRUNK = 0.1


def factor(done: float) -> float:
    """Return the share of the highest rate when a share ``done`` of the training is over."""
    return LEAST + (1 - LEAST) * wave(done) * math.pow(SHRUNK, done)


SCHEDULE = RateSchedule(
    name="exp-range",
    title="exponential range",
    formula=r"\eta\left(0.1 + 0.9\,\Lambda(3p)\,0.1^{p}\right)",
    source="Smith 2017, Cyclical learning rates for training neural networks",
    factor=factor,
)
