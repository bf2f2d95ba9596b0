"""Writing with a language model: a word is drawn from what is left of the distribution, and read, and so on.

Temperature divides the logits; top-k keeps the k likeliest words (Fan, Lewis and Dauphin 2018); top-p the fewest ones
whose probabilities have p in sum (Holtzman et al. 2020, *The Curious Case of Neural Text Degeneration*).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlpviz.language import LogProbabilities, Predictor
from nlpviz.results.next_word import Filtered

HOTTEST = 100.0
_FEW = 256
"""So many of the likeliest words are looked at first: they nearly always have the share that is asked for."""


@dataclass(frozen=True)
class Sampling:
    """How words are drawn.

    Attributes:
        temperature: 1 leaves the probabilities as they are, 0 always takes the likeliest word.
        top_k: how many of the likeliest words are kept; 0 keeps all.
        top_p: the words are kept that have this share of the probability at least; 1 keeps all, 0 the likeliest.
        seed: of what is drawn.
    """

    temperature: float = 1.0
    top_k: int = 0
    top_p: float = 1.0
    seed: int = 0

    def __post_init__(self) -> None:
        """Refuse what has no meaning."""
        if not 0 <= self.temperature <= HOTTEST:
            raise ValueError(f"A temperature lies between 0 and {HOTTEST:g}, not at {self.temperature:g}.")
        if self.top_k < 0:
            raise ValueError(f"Top-k keeps 1 word at least, or all with 0, not {self.top_k}.")
        if not 0 <= self.top_p <= 1:
            raise ValueError(f"Top-p lies between 0 and 1, not at {self.top_p:g}.")


class Drawn(NamedTuple):
    """A word that was drawn: its id, its probability before and after filtering, and the state after it."""

    word: int
    probability: float
    filtered: float
    state: Any


def filtered(log_probabilities: LogProbabilities, sampling: Sampling) -> Filtered:
    """Return a distribution (V,) before and after temperature, top-k and top-p, in this order."""
    log_probabilities = np.asarray(log_probabilities, dtype=np.float64)
    before = np.exp(log_probabilities)
    if sampling.temperature == 0:
        after = np.zeros_like(before)
        after[np.argmax(before)] = 1
        return Filtered(before, after)
    with np.errstate(over="ignore"):  # near 0, where all but the likeliest words have no probability left
        after = np.exp((log_probabilities - log_probabilities.max()) / sampling.temperature)
    after /= after.sum()
    if 0 < sampling.top_k < len(after):
        kept = likeliest(after, sampling.top_k)
        after = _only(after, kept) / after[kept].sum()
    if sampling.top_p < 1:
        after = _only(after, _fewest(after, sampling.top_p))
    return Filtered(before, after / after.sum())


def likeliest(found: LogProbabilities, count: int) -> NDArray[np.int64]:
    """Return the ids of the ``count`` largest of ``found`` (V,), the largest first; of equal ones the smaller id."""
    count = min(count, len(found))
    least = np.partition(found, len(found) - count)[len(found) - count] if count else np.inf
    candidates = np.flatnonzero(found >= least)
    return candidates[np.argsort(-found[candidates], kind="stable")][:count]


def _fewest(probabilities: NDArray[np.float64], share: float) -> NDArray[np.int64]:
    """Return the fewest ids, the likeliest first, that have a ``share`` of the probability; one at least."""
    count = _FEW
    while True:
        ids = likeliest(probabilities, count)
        reached = np.cumsum(probabilities[ids])
        if reached[-1] >= share or len(ids) == len(probabilities):
            return ids[: int(np.searchsorted(reached, share)) + 1]
        count *= 8


def _only(probabilities: NDArray[np.float64], ids: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return probabilities (V,) of which all but those of ``ids`` are zero."""
    result = np.zeros_like(probabilities)
    result[ids] = probabilities[ids]
    return result


def draw(distribution: Filtered, rng: np.random.Generator) -> int:
    """Return the id of a word that is drawn from a filtered distribution."""
    drawable = np.flatnonzero(distribution.after)
    reached = np.cumsum(distribution.after[drawable])
    return int(drawable[min(np.searchsorted(reached, rng.random() * reached[-1], side="right"), len(drawable) - 1)])


def sample(model: Predictor, state: Any, sampling: Sampling, length: int) -> Iterator[Drawn]:  # noqa: ANN401
    """Yield ``length`` words one by one, each drawn after those before it were read.

    Args:
        model: writes.
        state: after what was read so far.
        sampling: how words are drawn; the same seed draws the same words.
        length: how many.
    """
    rng, nothing = np.random.default_rng(sampling.seed), np.empty(0, dtype=np.int64)
    for _ in range(length):
        distribution = filtered(model.distributions(state, nothing)[-1], sampling)
        word = draw(distribution, rng)
        state = model.after(state, np.array([word]))
        yield Drawn(word, float(distribution.before[word]), float(distribution.after[word]), state)
