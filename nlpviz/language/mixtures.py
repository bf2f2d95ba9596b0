"""A mixture of two language models: p(w) = λ p_1(w) + (1 − λ) p_2(w) (Jelinek and Mercer 1980; Bengio et al. 2003)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from nlpviz.language import Ids, LogProbabilities, Predictor, WordsRead

WEIGHTS = tuple(float(weight) for weight in np.round(np.arange(0.05, 1.0, 0.05), 2))
"""Weights that are tried on a validation text."""


def mixed(first: LogProbabilities, second: LogProbabilities, weight: float) -> LogProbabilities:
    """Return log(λ exp(first) + (1 − λ) exp(second)), any shape; λ is ``weight``."""
    with np.errstate(divide="ignore"):
        result: LogProbabilities = np.logaddexp(first + np.log(weight), second + np.log1p(-weight))
    return result


def best_weight(
    first: LogProbabilities, second: LogProbabilities, weights: Sequence[float] = WEIGHTS
) -> tuple[float, float]:
    """Return the weight with which two models predict a text best, and the mean log-probability of its words then.

    Args:
        first: log-probabilities of the words of a validation text (T,), by the first model.
        second: by the second one.
        weights: to choose among.
    """
    means = [float(mixed(first, second, weight).mean()) for weight in weights]
    best = int(np.argmax(means))
    return weights[best], means[best]


class Mixture:
    """Two models of one vocabulary."""

    def __init__(self, first: Predictor, second: Predictor, weight: float) -> None:
        """Mix them.

        Args:
            first: a model.
            second: another one, of the same ids.
            weight: λ, of the first, from 0 to 1.

        Raises:
            ValueError: if their ids are not the same, or the weight is none.
        """
        if first.size != second.size:
            raise ValueError(
                f"models with {first.size} and {second.size} words cannot be mixed: their vocabularies differ"
            )
        if not 0 <= weight <= 1:
            raise ValueError(f"the weight must be between 0 and 1, not {weight}")
        self.first, self.second, self.weight = first, second, weight

    @property
    def size(self) -> int:
        """V."""
        return self.first.size

    def begin(self) -> tuple[Any, Any]:
        """Return both states before the first word."""
        return self.first.begin(), self.second.begin()

    def read(self, state: tuple[Any, Any], words: Ids) -> WordsRead:
        """Return the log-probability of each word, and both states thereafter."""
        by_first, by_second = self.first.read(state[0], words), self.second.read(state[1], words)
        found = mixed(by_first.log_probabilities, by_second.log_probabilities, self.weight)
        return WordsRead(found, (by_first.state, by_second.state))

    def after(self, state: tuple[Any, Any], words: Ids) -> tuple[Any, Any]:
        """Return both states after ``words`` (T,)."""
        return self.first.after(state[0], words), self.second.after(state[1], words)

    def distributions(self, state: tuple[Any, Any], words: Ids) -> LogProbabilities:
        """Return the log-probabilities of all ids before each word and after the last, (T + 1, V)."""
        by_first = self.first.distributions(state[0], words)
        return mixed(by_first, self.second.distributions(state[1], words), self.weight)
