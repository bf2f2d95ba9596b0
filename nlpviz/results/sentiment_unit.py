"""One unit of a language model as a classifier without training: its value compared with a threshold."""

from __future__ import annotations

from dataclasses import dataclass

from nlpviz.results.units import Unit
from nlpviz.stats.significance import Interval, wilson

READINGS = {"last": "after the last word", "mean": "averaged over all words"}
"""How a unit's values become a feature of a text, with the name that is shown."""


@dataclass(frozen=True)
class SentimentUnit:
    """The unit whose value best separates two labels, and how well it does on texts that chose nothing.

    Attributes:
        run: whose network.
        epoch: of its weights.
        unit: which one.
        reading: of :data:`READINGS`.
        threshold: that its value is compared with.
        above: the label of values above it.
        below: the label of the others.
        searched: how many pairs of a unit and a reading it was chosen from.
        training: how many training texts gave each unit its threshold.
        validation: how many held-out texts chose the unit.
        validation_accuracy: on these, of the chosen one.
        test: how many test texts it was measured on, once.
        right: of these.
        longest: how many words of a text are read at most.
    """

    run: str
    epoch: int
    unit: Unit
    reading: str
    threshold: float
    above: str
    below: str
    searched: int
    training: int
    validation: int
    validation_accuracy: float
    test: int
    right: int
    longest: int

    @property
    def accuracy(self) -> float:
        """The share of test texts that it labels rightly."""
        return self.right / self.test

    @property
    def interval(self) -> Interval:
        """Its 95% interval (Wilson)."""
        return wilson(self.accuracy, self.test)
