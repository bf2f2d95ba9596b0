"""The rate rises in a straight line over the first tenth, then falls to 0 (Goyal et al. 2017; Vaswani et al. 2017)."""

from nlpviz.experiments.feedforward import RateSchedule

WARM = 0.1


def factor(done: float) -> float:
    """Return the share of the highest rate when a share ``done`` of the training is over."""
    return min(done / WARM, (1 - done) / (1 - WARM))


SCHEDULE = RateSchedule(
    name="warm-up",
    title="warm-up",
    formula=r"\eta\,\min\left(\tfrac{p}{0.1}, \tfrac{1-p}{0.9}\right)",
    source="Goyal et al. 2017, Accurate, large minibatch SGD, section 2.2",
    factor=factor,
)
