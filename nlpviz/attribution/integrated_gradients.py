"""Integrated gradients: what each word adds to the class score on the way from no words at all to the text.

Sundararajan, Taly and Yan (2017), *Axiomatic Attribution for Deep Networks*. The baseline is the zero vector for every
word, as they propose for text. One deviation: the integral is taken by Gauss and Legendre's rule, not as their Riemann
sum; with as many steps it is off by less.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from nlpviz.attribution import Attributed, Method, derivative, incompleteness

if TYPE_CHECKING:
    from torch import Tensor

    from nlpviz.attribution.class_score import ClassScore

STEPS = 50


def attribute(score: ClassScore, embedded: Tensor) -> Attributed:
    """Return the mean gradient on the way from zero vectors times the word vectors, in log-odds; it may be negative.

    Completeness (their proposition 1): the additions are the score less that of the text with every vector zero.
    The residual is what the sum of :data:`STEPS` steps misses of it.
    """
    matrix = mean_gradient(score, embedded)[0] * embedded.detach()[0]  # (T, D)
    scores = matrix.sum(dim=1)
    return Attributed(scores, matrix, incompleteness(score, embedded, scores))


def mean_gradient(score: ClassScore, embedded: Tensor) -> Tensor:
    """Return the mean of the gradients at all word vectors between zero and ``embedded``, in its shape (1, T, D).

    The gradient at a share of the vectors is the derivative of the score at that share by the vectors themselves,
    divided by the share: one derivative of a weighted sum gives the mean of all.
    """
    import torch

    from nlpviz.attribution.class_score import differentiable

    places, weights = (torch.from_numpy(numbers).to(embedded) for numbers in _rule())
    shares = (1 + places) / 2
    parts = weights / 2 / shares
    mean, done = torch.zeros_like(embedded), 0
    with differentiable():
        words = embedded.detach().requires_grad_()
        for scores in score.scaled(words, shares):
            mean += derivative(scores @ parts[done : done + len(scores)], words)
            done += len(scores)
    return mean.detach()


@cache
def _rule() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the places on (-1, 1) and the weights (S,) of Gauss and Legendre's rule; they sum to two."""
    return np.polynomial.legendre.leggauss(STEPS)


METHOD = Method(
    name="integrated-gradients",
    title="Integrated gradients",
    source="Sundararajan et al. 2017",
    formula=r"\text{score}(a) = a \cdot \int_0^1"
    r" \frac{\partial\,\text{score}(\alpha\,\text{text})}{\partial a}\,d\alpha",
    reading=(
        "What a word adds to the class score or takes from it, in log-odds, while all words grow from zero vectors to "
        f"what they are. The additions make up the whole score over that of zero vectors; {STEPS} steps along the way "
        "miss a little of it, the residual."
    ),
    unit="log-odds",
    signed=True,
    attribute=attribute,
)
