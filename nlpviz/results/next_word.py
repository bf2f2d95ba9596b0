"""A language model's next-word distribution, before and after filtering."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class NextWord:
    """The distribution at one place of a text.

    Attributes:
        run: the model's name.
        epoch: of its weights; None where it has none.
        title: what the model is called beside others.
        place: how many tokens were read.
        ids: of the likeliest words, the likeliest first, (K,).
        words: how they are spelt.
        probabilities: theirs, (K,).
        entropy: of the whole distribution, in nats.
        came: the id of the token that stands there; None at the end of the text.
        rank: its place among all words, from 1; None where none stands there or it has no probability.
        probability: its own; None where none stands there.
    """

    run: str
    epoch: int | None
    title: str
    place: int
    ids: NDArray[np.int64]
    words: tuple[str, ...]
    probabilities: NDArray[np.floating]
    entropy: float
    came: int | None = None
    rank: int | None = None
    probability: float | None = None


@dataclass(frozen=True)
class Filtered:
    """A distribution before and after temperature, top-k and top-p.

    Attributes:
        before: probabilities of all ids, (V,).
        after: the same with all filters, (V,), one in sum.
    """

    before: NDArray[np.float64]
    after: NDArray[np.float64]

    @property
    def kept(self) -> int:
        """How many words can still be drawn."""
        return int((self.after > 0).sum())

    @property
    def cut(self) -> float:
        """Which share of the probability the words had that can no longer be drawn."""
        return float(self.before[self.after == 0].sum())
