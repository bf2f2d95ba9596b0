"""The regions of a convolutional network in one text: each region's contribution to a class score, and their sum.

Tixier (2018), section 5.4.2; Johnson and Zhang (2015), *Effective Use of Word Order for Text Categorization with
Convolutional Neural Networks*, section 3.6.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlpviz.text.ratings import in_ratings
from nlpviz.text.vocabulary import EncodedText

RANKS = ("contribution", "norm")
STEPS = 6
"""Regions that have a step of their own where a score is added up."""


class Region(NamedTuple):
    """One region of a text.

    Attributes:
        size: words that its filters look at; at the end of a text shorter than that, ``words`` has fewer.
        start: the position of its first token.
        words: its tokens, in the vocabulary's spelling, unknown ones as typed.
        span: ``text[span[0]:span[1]]`` is what was typed.
        norm: of the region embedding, the vector of its filters' activations.
        contribution: what it adds to the class score, over the filters that it wins; a log-odds.
        won: how many filters' pooling it wins, those that answer nothing not counted.
    """

    size: int
    start: int
    words: tuple[str, ...]
    span: tuple[int, int]
    norm: float
    contribution: float
    won: int

    @property
    def id(self) -> str:
        """How an address and a click name it: size and place."""
        return f"{self.size}-{self.start}"

    @property
    def ngram(self) -> str:
        """Its words, one space between them."""
        return " ".join(self.words)


class ScoreStep(NamedTuple):
    """One step from the bias to a class score: what it is, what it adds, and the region's id if it is one."""

    name: str
    amount: float
    id: str


@dataclass(frozen=True)
class Branch:
    """The filters of one region size on one text of P regions.

    Attributes:
        size: h, in words.
        norms: float32 (P,), the Euclidean norm of each region's embedding.
        starts: int64 (F,), the region that each filter's pooling takes; -1 where the text has none left.
        activations: float32 (F,), what the filter answers there.
        amounts: float32 (F,), activation times the weight of the target class. Together with those of the other
            branches and the bias they are the class score.

    F is filters x k in k-max pooling, in the order of the document embedding.
    """

    size: int
    norms: NDArray[np.float32]
    starts: NDArray[np.int64]
    activations: NDArray[np.float32]
    amounts: NDArray[np.float32]

    def __post_init__(self) -> None:
        """Make the arrays read-only."""
        for array in (self.norms, self.starts, self.activations, self.amounts):
            array.setflags(write=False)

    @cached_property
    def contributions(self) -> NDArray[np.float64]:
        """What each region adds to the class score, (P,)."""
        taken = self.starts >= 0
        sums = np.zeros(len(self.norms))
        np.add.at(sums, self.starts[taken], self.amounts[taken])
        return sums

    @cached_property
    def won(self) -> NDArray[np.int64]:
        """How many filters take each region and answer something, (P,)."""
        return np.bincount(self.starts[self.activations > 0], minlength=len(self.norms))


@dataclass(frozen=True)
class PredictiveRegions:
    """All regions of one text, as one epoch's network sees them.

    Attributes:
        run: the run whose network it is.
        epoch: of its weights; 0 is before training.
        encoded: the text as the network saw it.
        target: the index of the class whose score is taken apart.
        class_names: the classes, in the order of ``probabilities``.
        probabilities: float32 (K,); they sum to one.
        class_score: the score of the target class, a log-odds.
        bias: of the target class: what the score is without any region.
        branches: one for each region size, in the order of the document embedding.
    """

    run: str
    epoch: int
    encoded: EncodedText
    target: int
    class_names: tuple[str, ...]
    probabilities: NDArray[np.float32]
    class_score: float
    bias: float
    branches: tuple[Branch, ...]

    @property
    def predicted(self) -> int:
        """The index of the most probable class."""
        return int(np.argmax(self.probabilities))

    @property
    def residual(self) -> float:
        """What the regions and the bias leave of the class score; rounding only."""
        return self.class_score - self.bias - float(sum(branch.amounts.sum(dtype=float) for branch in self.branches))

    @cached_property
    def regions(self) -> tuple[Region, ...]:
        """Every region of every size, by size and place."""
        tokens = self.encoded.read
        result = []
        for branch in self.branches:
            values = zip(branch.norms, branch.contributions, branch.won, strict=True)
            for start, (norm, contribution, won) in enumerate(values):
                inside = tokens[start : start + branch.size]
                words, span = tuple(token.word for token in inside), (inside[0].start, inside[-1].end)
                result.append(Region(branch.size, start, words, span, float(norm), float(contribution), int(won)))
        return tuple(result)

    def ranked(self, rank: str, size: int | None = None) -> list[Region]:
        """Return the regions (of one size) by ``"norm"``, or by how much they contribute either way.

        A region that wins no filter contributes nothing and is left out of the second ranking.
        """
        chosen = [region for region in self.regions if size in (None, region.size)]
        if rank == "norm":
            return sorted(chosen, key=lambda region: -region.norm)
        return sorted((region for region in chosen if region.won), key=lambda region: -abs(region.contribution))

    def steps(self) -> list[ScoreStep]:
        """Return what adds up to the class score: the bias, the strongest regions, the others for and against."""
        ranked = self.ranked("contribution")
        rest = [region.contribution for region in ranked[STEPS:]]
        positive, negative = [amount for amount in rest if amount > 0], [amount for amount in rest if amount <= 0]
        return [
            ScoreStep("bias", self.bias, ""),
            *(ScoreStep(region.ngram, region.contribution, region.id) for region in ranked[:STEPS]),
            *(
                ScoreStep(f"{len(amounts)} other{'s' * (len(amounts) != 1)} {side}", sum(amounts), "")
                for amounts, side in ((positive, "for"), (negative, "against"))
                if amounts
            ),
        ]

    @cached_property
    def _rated(self) -> NDArray[np.bool_]:
        return in_ratings(self.encoded.text, self.encoded.read)

    def holds_rating(self, region: Region) -> bool:
        """Return whether a word of ``region`` is part of a rating that the text states, such as ``7/10``."""
        return bool(self._rated[region.start : region.start + len(region.words)].any())

    def filters_of(self, region: Region) -> list[tuple[int, float, float]]:
        """Return what ``region`` wins, the strongest first: place in the document embedding, activation, amount."""
        offset = 0
        for branch in self.branches:
            if branch.size == region.size:
                positions = np.flatnonzero((branch.starts == region.start) & (branch.activations > 0))
                result = [
                    (offset + int(position), float(branch.activations[position]), float(branch.amounts[position]))
                    for position in positions
                ]
                return sorted(result, key=lambda item: -abs(item[2]))
            offset += len(branch.starts)
        return []


def apart(regions: Sequence[Region]) -> list[Region]:
    """Return those of ``regions`` that overlap none before them, in reading order: what can be boxed in a text."""
    taken: set[int] = set()
    boxed = []
    for region in regions:
        positions = set(range(region.start, region.start + len(region.words)))
        if not positions & taken:
            taken |= positions
            boxed.append(region)
    return sorted(boxed, key=lambda region: region.start)
