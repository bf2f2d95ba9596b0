"""A network's regions and filters over a whole corpus: the top n-grams, and a summary of each filter.

Johnson and Zhang (2015), section 3.6, print the regions that raise the top layer's score most; so do the top n-grams,
with how many documents bear each out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

UNCOUNTED = -1
DUPLICATE = 0.8
"""From this correlation of their activations on, two filters are called duplicates."""


class RankedNgram(NamedTuple):
    """One n-gram over a corpus's test documents.

    Attributes:
        size: h, in words.
        ngram: its words, ``<unk>`` for one that the network does not know.
        contribution: to a class's score, the mean over the documents where it wins a filter; of two classes, to the
            log-odds of the last one.
        support: how many documents these are.
        precision: the share of them with the label that the contribution speaks for.
        seen: how often it stood in the training texts; :data:`UNCOUNTED` where that is not known.
        example: the document where it contributes most.
        rated: the share of its occurrences in the test texts that hold a word of a rating, such as ``7/10``.
    """

    size: int
    ngram: str
    contribution: float
    support: int
    precision: float
    seen: int
    example: str
    rated: float = 0.0

    @property
    def total(self) -> float:
        """What it contributes to all documents together."""
        return self.contribution * self.support

    @property
    def of_rating(self) -> bool:
        """Whether it holds a part of a rating more often than not: ``4/10``, ``out of 10``, perhaps ``an 8``."""
        return self.rated > 0.5


class FilterNgram(NamedTuple):
    """An n-gram that a filter answers: how strongly, and in how many documents its pooling takes it."""

    ngram: str
    activation: float
    support: int


@dataclass(frozen=True)
class FilterSummary:
    """One filter at one epoch, over a corpus's test documents.

    Attributes:
        epoch: of the weights.
        position: of the filter among all, in the order of the document embedding, k-max entries not counted.
        size: h, in words.
        number: among the filters of its size, from 0.
        weight: of the filter for the class that was asked for; of two classes, the last one.
        alive: the share of documents in which it answers anything.
        mean: activation over the documents.
        twin: the position of the filter whose activations go most with its own; meaningless where ``correlation`` is 0.
        correlation: Pearson's, with the twin; 0 where there is none, as for a filter that always answers the same.
        ngrams: those with the largest activations, largest first.
        weights: of the filter for each class, where there are more than two.
    """

    epoch: int
    position: int
    size: int
    number: int
    weight: float
    alive: float
    mean: float
    twin: int
    correlation: float
    ngrams: tuple[FilterNgram, ...]
    weights: tuple[float, ...] = ()

    @property
    def id(self) -> str:
        """How an address names it: region size and number, for example ``"3-17"``."""
        return f"{self.size}-{self.number}"

    @property
    def dead(self) -> bool:
        """Whether it answered no document at all."""
        return self.alive == 0

    @property
    def duplicate(self) -> bool:
        """Whether another filter does nearly the same."""
        return self.correlation >= DUPLICATE


class DocumentRegions(NamedTuple):
    """The n-grams that moved one document's score most at the best epoch: for a class, and against it.

    Attributes:
        pro: n-grams with their contributions, the strongest first.
        contra: those with negative contributions, the strongest first.
        target: the class: of two classes the last one, of more the predicted one.
    """

    pro: tuple[tuple[str, float], ...]
    contra: tuple[tuple[str, float], ...]
    target: int = 1
