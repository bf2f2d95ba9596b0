"""Cyclical rates whose swing is halved with each cycle (Smith 2017, section 3.1)."""

from nlpviz.experiments.feedforward import RateSchedule
from nlpviz.experiments.feedforward.schedules.triangular import CYCLES, LEAST, wave


def factor(done: float) -> float:
    """Return the share of the highest rate when a share ``done`` of the training is over."""
    cycle = min(int(done * CYCLES), CYCLES - 1)
    return LEAST + (1 - LEAST) * wave(done) / (1 << cycle)


SCHEDULE = RateSchedule(
    name="triangular2",
    title="triangular2",
    formula=r"\eta\left(0.1 + 0.9\,\Lambda(3p)\,2^{-\lfloor 3p \rfloor}\right)",
    source="Smith 2017, Cyclical learning rates for training neural networks",
    factor=factor,
)
