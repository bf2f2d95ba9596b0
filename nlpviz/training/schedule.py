"""The learning rate over a training: it rises over some steps, then falls evenly."""

from __future__ import annotations


def rate_at(step: int, steps: int, highest: float, warmup: int, final: float) -> float:
    """Return the learning rate of ``step``, from 1, of ``steps``.

    Args:
        step: from 1.
        steps: of the whole training.
        highest: the rate that it rises to.
        warmup: steps over which it rises.
        final: the share of the highest that is left at the last step.
    """
    rising = min(step / max(warmup, 1), 1.0)
    return highest * rising * (1 - (1 - final) * min(step / steps, 1.0))
