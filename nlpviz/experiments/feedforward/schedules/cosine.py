"""The rate falls along half a cosine (Loshchilov and Hutter 2017, without restarts)."""

import math

from nlpviz.experiments.feedforward import RateSchedule


def factor(done: float) -> float:
    """Return the share of the highest rate when a share ``done`` of the training is over."""
    return 0.5 * (1 + math.cos(math.pi * done))


SCHEDULE = RateSchedule(
    name="cosine",
    title="cosine",
    formula=r"\tfrac{\eta}{2}\,(1 + \cos \pi p)",
    source="Loshchilov and Hutter 2017, SGDR: stochastic gradient descent with warm restarts, eq. 5",
    factor=factor,
)
