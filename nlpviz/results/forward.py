"""One text on its way through a convolutional network: word vectors, windows, the largest answers, the score.

Tixier (2018), *Notes on Deep Learning for NLP*, section 5.2; Kim (2014), equations 1 to 3.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlpviz.text.vocabulary import EncodedText


class FilterPass(NamedTuple):
    """One filter's pass over one text.

    Attributes:
        id: its place in the document embedding.
        size: h, in words.
        answers: float32 (P,), the dot product of its weights with each window plus its bias, before the ReLU.
        start: the window that max pooling takes, the first of equal ones.
        activation: what it answers there, after the ReLU.
        weight: of the target class, which the activation is multiplied by.
    """

    id: int
    size: int
    answers: NDArray[np.float32]
    start: int
    activation: float
    weight: float

    @property
    def amount(self) -> float:
        """What the filter adds to the class score."""
        return self.activation * self.weight


@dataclass(frozen=True)
class ForwardPass:
    """The steps of one text through one epoch's network.

    Attributes:
        run: the run whose network it is.
        epoch: of its weights.
        encoded: the text as the network saw it, T tokens.
        vectors: float32 (T, D), the word vectors.
        filters: those that add most to the class score, either way, the largest amount first.
        others: how many filters there are besides.
        rest: what these add together.
        bias: of the target class.
        class_score: log-odds of the target class: the bias, the rest and the filters' amounts in sum.
        probability: of the target class.
        target: the name of that class.
    """

    run: str
    epoch: int
    encoded: EncodedText
    vectors: NDArray[np.float32]
    filters: tuple[FilterPass, ...]
    others: int
    rest: float
    bias: float
    class_score: float
    probability: float
    target: str

    @property
    def residual(self) -> float:
        """What bias, rest and amounts leave of the class score; rounding only."""
        return self.class_score - self.bias - self.rest - sum(one.amount for one in self.filters)
