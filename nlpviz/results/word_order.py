"""The probability of a sentence, and of its words in other orders."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class WordOrders:
    """One sentence and its shuffles, as one model reads them after the end of a line.

    Attributes:
        title: what the model is called beside others.
        words: of the sentence, in its order, (K,).
        orders: the shuffles, as positions in ``words``, (N, K).
        typed: log-probability of the sentence, in nats.
        shuffled: those of the shuffles, (N,).
        all_orders: whether these are all orders that there are.
    """

    title: str
    words: tuple[str, ...]
    orders: NDArray[np.int64]
    typed: float
    shuffled: NDArray[np.float64]
    all_orders: bool

    @property
    def rank(self) -> int:
        """The place of the sentence among all of them, from 1."""
        return int((self.shuffled > self.typed).sum()) + 1

    def best(self, count: int) -> list[tuple[tuple[str, ...], float]]:
        """Return the most probable orders, the sentence's own among them, each with its log-probability."""
        own = (self.words, self.typed)
        rest = [
            (tuple(self.words[place] for place in self.orders[row]), float(self.shuffled[row]))
            for row in np.argsort(-self.shuffled, kind="stable")[:count].tolist()
        ]
        return sorted([own, *rest], key=lambda one: -one[1])[:count]
