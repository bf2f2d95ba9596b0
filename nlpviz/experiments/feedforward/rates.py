"""The learning-rate range test: the rate grows from step to step, and the loss says where learning begins and ends.

Smith 2017, Cyclical learning rates for training neural networks, section 3.3. He lets the rate grow in a straight line;
here it grows by the same factor at each step, so that small rates get as many steps as large ones.
"""

from __future__ import annotations

import numpy as np

from nlpviz.experiments.feedforward.training import Examples, NetworkTraining, TrainingSettings
from nlpviz.experiments.optimisers import optimisers
from nlpviz.results.layers_watched import RangeTest

_WORSE = 4.0  # times the first loss: nothing more is learnt about the rate


def range_test(
    examples: Examples, settings: TrainingSettings, low: float = 1e-5, high: float = 10.0, steps: int = 200
) -> RangeTest:
    """Return the loss of each step while the rate grows from ``low`` to ``high``; it ends where the loss explodes."""
    training = NetworkTraining(examples, settings)
    rates = np.geomspace(low, high, steps)
    losses: list[float] = []
    for rate in rates:
        backwards = training.step(float(rate))
        if backwards is None or (losses and backwards.loss > _WORSE * losses[0]):
            break
        losses.append(backwards.loss)
    title = optimisers()[settings.optimiser].title
    return RangeTest(settings.optimiser, title, settings.seed, rates[: len(losses)], np.array(losses))
