"""The peer of our n-gram counts: the same smoothing as most would write it in Python, a dictionary for each length.

Interpolated modified Kneser-Ney smoothing (Chen and Goodman 1999): a context is a tuple of words, and what follows it a
dictionary of counts.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from itertools import accumulate
from math import log

Words = tuple[int, ...]


class PlainKneserNey:
    """Counts of n-grams of up to ``order`` words, and the probabilities that they suggest."""

    def __init__(self, text: list[int], size: int, order: int) -> None:
        """Count the n-grams of a text of ids from 1 to ``size`` - 1; 0 is no word."""
        self.size, self.order = size, order
        counts = [Counter(zip(*(text[first:] for first in range(n)), strict=False)) for n in range(1, order + 1)]
        for n in range(order - 1):  # of n-grams that are not the longest: after how many different words they occur
            counts[n] = Counter(gram[1:] for gram in counts[n + 1])
        self.discounts = [self._discounts(of_length) for of_length in counts]
        self.followers: list[dict[Words, dict[int, int]]] = []
        for of_length in counts:
            followers: dict[Words, dict[int, int]] = defaultdict(dict)
            for gram, count in of_length.items():
                followers[gram[:-1]][gram[-1]] = count
            self.followers.append(dict(followers))
        self.totals = [
            {context: sum(after.values()) for context, after in followers.items()} for followers in self.followers
        ]
        self.weights = [
            {
                context: sum(taken[min(count, 3)] for count in after.values()) / totals[context]
                for context, after in followers.items()
            }
            for followers, totals, taken in zip(self.followers, self.totals, self.discounts, strict=True)
        ]

    def _discounts(self, counts: Counter[Words]) -> tuple[float, ...]:
        """Return what is taken off counts of 0, 1, 2, and 3 and more."""
        n = Counter(counts.values())
        if not n[1]:
            return 0.0, 0.0, 0.0, 0.0
        y = n[1] / (n[1] + 2 * n[2])
        return 0.0, *(max(k - (k + 1) * y * n[k + 1] / n[k], 0.0) if n[k] else 0.0 for k in (1, 2, 3))

    def probability(self, context: Words, word: int) -> float:
        """Return the probability of ``word`` after ``context``, ``order`` - 1 words at most."""
        result = 1 / (self.size - 1)
        for length in range(len(context) + 1):
            shorter = context[len(context) - length :]
            after = self.followers[length].get(shorter)
            if after is None:
                break
            result *= self.weights[length][shorter]
            if count := after.get(word):
                result += (count - self.discounts[length][min(count, 3)]) / self.totals[length][shorter]
        return result

    def log_probabilities(self, text: list[int]) -> list[float]:
        """Return the log-probability of each word of a text after those before it."""
        longest = self.order - 1
        return [log(self.probability(tuple(text[max(at - longest, 0) : at]), word)) for at, word in enumerate(text)]

    def distribution(self, context: Words) -> list[float]:
        """Return the probability of every id after ``context``."""
        result = [0.0, *[1 / (self.size - 1)] * (self.size - 1)]
        for length in range(len(context) + 1):
            shorter = context[len(context) - length :]
            after = self.followers[length].get(shorter)
            if after is None:
                break
            weight, total, taken = self.weights[length][shorter], self.totals[length][shorter], self.discounts[length]
            result = [weight * probability for probability in result]
            for word, count in after.items():
                result[word] += (count - taken[min(count, 3)]) / total
        return result

    def sample(self, context: Words, words: int, rng: random.Random) -> list[int]:
        """Return ``words`` words that are drawn one after the other."""
        written = list(context)
        for _ in range(words):
            reached = list(accumulate(self.distribution(tuple(written[-self.order + 1 :]))))
            written += rng.choices(range(self.size), cum_weights=reached)
        return written[len(context) :]
