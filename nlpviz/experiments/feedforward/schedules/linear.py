"""The rate falls in a straight line to 0."""

from nlpviz.experiments.feedforward import RateSchedule


def factor(done: float) -> float:
    """Return the share of the highest rate when a share ``done`` of the training is over."""
    return 1 - done


SCHEDULE = RateSchedule(
    name="linear",
    title="linear decay",
    formula=r"\eta\,(1 - p)",
    source="",
    factor=factor,
)
