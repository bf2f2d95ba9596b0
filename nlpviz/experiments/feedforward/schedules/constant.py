"""The same rate from the first step to the last."""

from nlpviz.experiments.feedforward import RateSchedule


def factor(done: float) -> float:
    """Return the share of the highest rate when a share ``done`` of the training is over."""
    return 1.0 if done >= 0 else 0.0


SCHEDULE = RateSchedule(
    name="constant",
    title="constant",
    formula=r"\eta",
    source="",
    factor=factor,
)
