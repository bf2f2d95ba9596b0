"""Sampling from a language model: each word is drawn from the filtered distribution, then read.

Temperature divides the logits; top-k keeps the k likeliest words (Fan, Lewis and Dauphin 2018); top-p the fewest ones
whose probabilities have p in sum (Holtzman et al. 2020, *The Curious Case of Neural Text Degeneration*).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlpviz.language import LogProbabilities, Predictor
from nlpviz.results.next_word import Filtered

HOTTEST = 100.0
_NUCLEUS = 1_024
"""Words among which those of top-p are looked for first: to sort all of them takes longer than the network does."""


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
            raise ValueError(f"The temperature must be between 0 and {HOTTEST:g}, not {self.temperature:g}.")
        if self.top_k < 0:
            raise ValueError(f"Top-k must be at least 1, or 0 for no limit, not {self.top_k}.")
        if not 0 <= self.top_p <= 1:
            raise ValueError(f"Top-p must be between 0 and 1, not {self.top_p:g}.")


class Drawn(NamedTuple):
    """One word of a text that a model writes.

    Attributes:
        word: its id.
        probability: its own before filtering; 0 where a word was given that the model never predicts.
        filtered: its own after filtering; 0 where a word was given that had been cut.
        kept: how many words could be drawn.
        likeliest: whether it was the likeliest one.
        state: after it was read.
    """

    word: int
    probability: float
    filtered: float
    kept: int
    likeliest: bool
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
        # The maximum is subtracted, so that small temperatures do not overflow.
        after = np.exp((log_probabilities - log_probabilities.max()) / sampling.temperature)
    after /= after.sum()
    if 0 < sampling.top_k < (after > 0).sum():
        after = _only(after, likeliest(after, sampling.top_k))
    if sampling.top_p < 1:
        after = _only(after, _nucleus(after, sampling.top_p))
    return Filtered(before, after / after.sum())


def likeliest(found: NDArray[np.floating[Any]], count: int) -> NDArray[np.int64]:
    """Return the ids of the ``count`` largest of ``found`` (V,), the largest first; of equal ones the smaller id."""
    if count < len(found):
        least = np.partition(found, len(found) - count)[len(found) - count] if count else np.inf
        candidates = np.flatnonzero(found >= least)
    else:
        candidates = np.arange(len(found))
    return np.asarray(candidates[np.argsort(-found[candidates], kind="stable")][:count], dtype=np.int64)


def draws(distribution: Filtered, rng: np.random.Generator, count: int) -> NDArray[np.int64]:
    """Return the ids of ``count`` words that are drawn from a filtered distribution, each one anew."""
    drawable = np.flatnonzero(distribution.after)
    reached = np.cumsum(distribution.after[drawable])
    places = np.searchsorted(reached, rng.random(count) * reached[-1], side="right")
    return np.asarray(drawable[np.minimum(places, len(drawable) - 1)], dtype=np.int64)


def sample(
    model: Predictor,
    state: Any,  # noqa: ANN401
    sampling: Sampling,
    length: int,
    given: Sequence[int] = (),
) -> Iterator[Drawn]:
    """Yield ``length`` words one by one, each drawn after those before it were read.

    Args:
        model: writes.
        state: after what was read so far.
        sampling: how words are drawn; the same seed draws the same words.
        length: how many.
        given: ids of the first words, which are not drawn. Each uses up a random number all the same: after them a seed
            has the numbers that it has there without them.
    """
    rng, nothing = np.random.default_rng(sampling.seed), np.empty(0, dtype=np.int64)
    for place in range(length):
        distribution = filtered(model.distributions(state, nothing)[-1], sampling)
        (drawn,) = draws(distribution, rng, 1)
        word = int(given[place] if place < len(given) else drawn)
        state = model.after(state, np.array([word]))
        before, after = distribution.before, distribution.after
        likely = word == int(np.argmax(before))
        yield Drawn(word, float(before[word]), float(after[word]), distribution.kept, likely, state)


def _only(probabilities: NDArray[np.float64], ids: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the probabilities of these ids, one in sum, and zero for all others."""
    left = np.zeros_like(probabilities)
    left[ids] = probabilities[ids]
    left /= left.sum()
    return left


def _nucleus(probabilities: NDArray[np.float64], share: float) -> NDArray[np.int64]:
    """Return the fewest ids that have this share of the probability together, the likeliest first."""
    count = _NUCLEUS
    while True:
        ids = likeliest(probabilities, count)
        reached = np.cumsum(probabilities[ids])
        if reached[-1] >= share or count >= len(probabilities):
            # The word that crosses the threshold is kept as well.
            return ids[: int(np.searchsorted(reached, share)) + 1]
        count *= 4
