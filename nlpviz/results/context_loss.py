"""How much a language model gains from distant words: the loss of each word with few words before it, or all."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nlpviz.text.vocabulary import EncodedText


@dataclass(frozen=True)
class ContextLoss:
    """The loss of each of T words by how many of those before it were read.

    Attributes:
        run: whose network.
        epoch: of its weights.
        text: the text as the model saw it.
        kept: how many words before each were read, ascending; the last number is that of a text of which all were.
        nats: float32 (K, T), −log p of each word then; not a number where it has no probability.
    """

    run: str
    epoch: int
    text: EncodedText
    kept: tuple[int, ...]
    nats: NDArray[np.float32]

    def __post_init__(self) -> None:
        """Make the array read-only; refuse one that does not match the words."""
        if self.nats.shape != (len(self.kept), len(self.text.ids)):
            raise ValueError("each word needs a loss per number of preceding words")
        self.nats.setflags(write=False)

    @property
    def means(self) -> NDArray[np.float64]:
        """The mean loss by the number of words that were read, (K,); not a number where no word has a probability."""
        known = np.isfinite(self.nats).all(axis=0)
        if not known.any():
            return np.full(len(self.kept), np.nan)
        return np.asarray(self.nats[:, known].mean(axis=1, dtype=np.float64))

    def helped(self, place: int) -> int | None:
        """Return which word's loss falls most as all words before it are read, not ``kept[place]`` alone; None of none.

        A word that gains nothing is none.
        """
        gains = np.nan_to_num(self.nats[place] - self.nats[-1], nan=0.0)
        return int(np.argmax(gains)) if gains.max(initial=0.0) > 0 else None
