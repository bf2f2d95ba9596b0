"""How much predictions change when training is repeated without some of the training documents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlpviz.stats.significance import Interval

RESAMPLES = 10_000
"""Bootstrap samples of the texts, for the interval of a ratio."""


class Ratio(NamedTuple):
    """How many times as far predictions move, and a 95% interval over the texts (percentiles of a bootstrap)."""

    value: float
    interval: Interval


@dataclass(frozen=True)
class LeftOut:
    """Log-odds of the class that a small training predicts of R test texts, after trainings that left documents out.

    All trainings have the same seed, the same batches in the same order and the same dropout; what is left out has the
    weight 0. So a training that leaves out nothing repeats the whole one exactly.

    Attributes:
        run: whose recipe was trained.
        count: k, documents left out at a time.
        documents: N, trained on in all.
        training: what was done to the recipe to make it short, for people.
        seconds: of one training.
        ids: of the texts (R,).
        classes: (R,), names of the classes that the whole training predicts.
        whole: float32 (R,), after training on all documents.
        top: float32 (R,), without the k that lowered the text's loss most.
        random: float32 (R, Q), without k random ones, Q draws.
        same: float32 (R, Q), without k random ones of the text's predicted class.
        seeds: float32 (R, S), after training on all documents with other seeds.
    """

    run: str
    count: int
    documents: int
    training: str
    seconds: float
    ids: tuple[str, ...]
    classes: tuple[str, ...]
    whole: NDArray[np.float32]
    top: NDArray[np.float32]
    random: NDArray[np.float32]
    same: NDArray[np.float32]
    seeds: NDArray[np.float32]

    def moved(self, name: str) -> NDArray[np.float32]:
        """Return by how much the log-odds changed, (R, trainings), of ``top``, ``random``, ``same`` or ``seeds``."""
        values = np.asarray(getattr(self, name))
        return np.asarray(values.reshape(len(self.whole), -1) - self.whole[:, None])

    def ratio(self, other: str = "random") -> Ratio:
        """Return how many times as far predictions move without the top k as in ``other`` trainings, on average."""
        far, near = (np.abs(self.moved(name)).mean(axis=1) for name in ("top", other))
        drawn = np.random.default_rng(0).integers(0, len(far), (RESAMPLES, len(far)))
        ratios = far[drawn].mean(axis=1) / np.maximum(near[drawn].mean(axis=1), 1e-12)
        low, high = np.percentile(ratios, (2.5, 97.5))
        return Ratio(float(far.mean() / max(float(near.mean()), 1e-12)), Interval(float(low), float(high)))

    @property
    def fell(self) -> int:
        """Of how many texts the class became less probable without the top k: what their influence foretells."""
        return int((self.moved("top")[:, 0] < 0).sum())

    @property
    def farther(self) -> int:
        """Of how many texts the prediction moved farther than in any training without random documents."""
        others = np.concatenate([self.moved("random"), self.moved("same")], axis=1)
        return int((np.abs(self.moved("top")[:, 0]) > np.abs(others).max(axis=1)).sum())
