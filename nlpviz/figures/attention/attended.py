"""A text's attention as figures show it: which weights colour the words, and which sentences fold away."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from nlpviz.results.attention import AttendedSentence, TextAttention
from nlpviz.results.explanation import NO_EPOCH

FOLDED = 0.5
"""A sentence folds away with less than this part of an equal share of the weight."""
VIEWS = {
    "emphasis": "√sentence × word",
    "words": "sentence × word",
    "within": "word within its sentence",
}


@dataclass(frozen=True)
class AttendedText:
    """A text's attention in the view in which it is shown.

    Attributes:
        result: the weights.
        view: a name in :data:`VIEWS`; without sentences only ``"words"`` means anything.
    """

    result: TextAttention
    view: str = "words"

    @property
    def run(self) -> str:
        """The run's name."""
        return self.result.run

    @property
    def epoch(self) -> int:
        """The epoch of the weights."""
        return self.result.epoch

    @cached_property
    def weights(self) -> NDArray[np.float32]:
        """What each token is coloured by, (T,)."""
        result = self.result
        if result.within is None or self.view == "words":
            return result.words
        if self.view == "within":
            return result.within
        sentence = np.zeros_like(result.within)
        for part in result.sentences:
            sentence[part.first : part.last] = part.weight
        emphasis: NDArray[np.float32] = np.sqrt(sentence) * result.within
        return emphasis

    @property
    def unit(self) -> str:
        """What a weight is a share of."""
        if self.epoch == NO_EPOCH:
            return "share of the text’s weight"
        if self.result.heads is not None:
            return "share of all attention"
        if self.result.within is None:
            return "share of the document vector"
        return {"emphasis": "√sentence weight × word weight", "within": "share of the sentence vector"}.get(
            self.view, "share of the document vector"
        )

    def written(self, value: float) -> str:
        """Return a weight as people read it: a share, or a product that is none."""
        return f"{value:.{'2g' if self._is_product else '1%'}}"

    @property
    def tickformat(self) -> str:
        """How the axis of the weights is written."""
        return ".2g" if self._is_product else ".0%"

    @property
    def _is_product(self) -> bool:
        return self.result.within is not None and self.view == "emphasis"

    def strongest(self, count: int) -> list[int]:
        """Return the positions of the ``count`` tokens with the largest weights in this view, largest first."""
        return [int(position) for position in np.argsort(-self.weights, kind="stable")[:count]]


def full_scale(shown: Sequence[AttendedText]) -> float:
    """Return the weight at full colour of texts that are compared; never zero."""
    return max((float(text.weights.max(initial=0)) for text in shown), default=0.0) or 1.0


def folds(sentences: Sequence[AttendedSentence], opened: int | None = None) -> list[tuple[bool, list[int]]]:
    """Return the positions of neighbouring sentences in groups, each with whether it folds away.

    Args:
        sentences: in order.
        opened: the position of one that never folds away.
    """
    least = FOLDED / max(len(sentences), 1)
    low = [part.weight < least and position != opened for position, part in enumerate(sentences)]
    return [(folded, list(positions)) for folded, positions in groupby(range(len(sentences)), key=low.__getitem__)]
