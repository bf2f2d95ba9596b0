"""A text that a language model wrote, where its branches diverge, and the alternatives at one position."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class WrittenText:
    """What one model wrote after a prompt: T tokens.

    Attributes:
        run: the model's name.
        epoch: of its weights; None where it has none.
        title: what the model is called beside others.
        unit: what a token is called: ``"word"`` or ``"character"``.
        ids: of the tokens, (T,).
        words: how they are spelt.
        pieces: what each adds to the text, with the space before it.
        probabilities: of each before filtering, (T,); 0 where the model never predicts it.
        filtered: of each after filtering, (T,); 0 where it had been cut.
        kept: how many tokens could be drawn there, (T,).
        likeliest: whether it was the likeliest one, (T,).
        given: how many of the first tokens were given and not drawn.
    """

    run: str
    epoch: int | None
    title: str
    unit: str
    ids: NDArray[np.int64]
    words: tuple[str, ...]
    pieces: tuple[str, ...]
    probabilities: NDArray[np.float64]
    filtered: NDArray[np.float64]
    kept: NDArray[np.int64]
    likeliest: NDArray[np.bool_]
    given: int = 0

    @property
    def nats(self) -> NDArray[np.float64]:
        """The surprisal of each token before filtering, (T,); NaN where it has no probability."""
        possible = self.probabilities > 0
        return np.where(possible, -np.log(np.where(possible, self.probabilities, 1.0)), np.nan)

    def text(self, start: int = 0, end: int | None = None) -> str:
        """Return what the tokens from ``start`` to ``end`` add to the text."""
        return "".join(self.pieces[start:end])


class TextBranch(NamedTuple):
    """Where a text leaves an earlier one.

    Attributes:
        parent: the number of the text that it leaves; None for the first one.
        place: of the first token that is its own, from 0.
        given: ids of all tokens that were not drawn: those of the earlier text up to ``place``, then the forced ones.
        forced: how many of these were forced; 0 where the text was drawn again.
        seed: of what was drawn.
    """

    parent: int | None = None
    place: int = 0
    given: tuple[int, ...] = ()
    forced: int = 0
    seed: int = 0


@dataclass(frozen=True)
class Choices:
    """The distribution that one token was drawn from, by K of its tokens.

    Attributes:
        title: what the model is called beside others.
        unit: what a token is called.
        place: of the token, from 0.
        ids: of the likeliest tokens, of some that were cut and of the one that stands there, the likeliest first, (K,).
        words: how they are spelt.
        before: their probabilities before filtering, (K,).
        after: those after filtering, (K,).
        came: the id of the token that stands there.
        possible: how many tokens have a probability before filtering.
        kept: how many have one after it.
        cut: which share of the probability the others had.
        draws: what draws from the filtered distribution gave.
    """

    title: str
    unit: str
    place: int
    ids: NDArray[np.int64]
    words: tuple[str, ...]
    before: NDArray[np.float64]
    after: NDArray[np.float64]
    came: int
    possible: int
    kept: int
    cut: float
    draws: Draws


@dataclass(frozen=True)
class Draws:
    """Seeded draws from a distribution, beside it.

    Attributes:
        count: how many.
        seed: theirs.
        drawn: how often each of K tokens was drawn, (K,).
        low: the 95% band of these numbers, which are binomial, from here, (K,),
        high: to there, (K,).
        chi_square: Pearson's, over the tokens that are expected five times at least, and all others as one.
        freedom: its degrees; 0 where there is nothing to compare.
        p: how likely so large a one is where draws follow the distribution; NaN without degrees of freedom.
    """

    count: int
    seed: int
    drawn: NDArray[np.int64]
    low: NDArray[np.int64]
    high: NDArray[np.int64]
    chi_square: float
    freedom: int
    p: float

    @property
    def within(self) -> NDArray[np.bool_]:
        """Which of the tokens were drawn as often as the band has it, (K,)."""
        return np.asarray((self.low <= self.drawn) & (self.drawn <= self.high))
