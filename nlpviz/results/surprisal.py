"""A language model's surprisal at each token of a text: −log p, in nats."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nlpviz.text.vocabulary import EncodedText


@dataclass(frozen=True)
class Surprisal:
    """One text as one model read it.

    Attributes:
        run: the model's name.
        epoch: of its weights; None where it has none.
        encoded: the text as the model saw it.
        unit: what a token is called: ``"word"`` or ``"character"``.
        nats: −log p of each token that was read, (T,); NaN where the model gives the token no probability.
        title: what the model is called beside others.
    """

    run: str
    epoch: int | None
    encoded: EncodedText
    unit: str
    nats: NDArray[np.floating]
    title: str

    @property
    def mean(self) -> float:
        """The mean over the tokens that have a probability, in nats; NaN where none has."""
        known = self.nats[~np.isnan(self.nats)]
        return float(known.mean()) if len(known) else float("nan")

    @property
    def perplexity(self) -> float:
        """That of the text: exp of the mean."""
        return float(np.exp(self.mean))

    @property
    def unpredicted(self) -> int:
        """How many tokens have no probability."""
        return int(np.isnan(self.nats).sum())
