"""Integrated gradients: what each word adds to the class score on the way from no words at all to the text.

Sundararajan, Taly and Yan (2017), *Axiomatic Attribution for Deep Networks*. The baseline is the zero vector for every
word, as they propose for text. Two deviations: the integral is taken by Gauss and Legendre's rule, not as their Riemann
sum; with as many steps it is off by less. And steps are added where they are missing: what a stretch of the way adds to
the score is known without them, so that the stretch whose steps miss most of it is halved, until what all of them miss
together is small. A recurrent network may leap in a sixteenth of the way, and change little in the rest of it. Where a
network says that its answer jumps, nothing is halved: what a jump adds is in no derivative, and stays in the residual.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlpviz.analysis.attribution import Attributed, Method, derivative

if TYPE_CHECKING:
    from torch import Tensor

    from nlpviz.analysis.attribution.class_score import ClassScore

STEPS = 50
"""Steps of the whole way at first, and of each stretch of it once it is halved."""
MOST = 800
"""Steps at most: on a long text each 50 take a recurrent network seconds."""
TOLERANCE = 0.01
"""The share of what the text gains that the steps may miss."""
_NOTHING = 0.001  # log-odds: who gains next to nothing need not be measured to a hundredth of it


class Stretch(NamedTuple):
    """A part of the way.

    Attributes:
        start: as an alpha, from 0: all vectors zero.
        end: up to 1: the text.
        matrix: what each number of each word vector adds to the score on it, (1, T, D).
        gap: what these miss of the score at its end, less that at its start: the completeness gap.
    """

    start: float
    end: float
    matrix: Tensor
    gap: float


def attribute(score: ClassScore, embedded: Tensor) -> Attributed:
    """Return the mean gradient along the path from zero vectors, times the word vectors, in log-odds; may be negative.

    Completeness (their proposition 1): the additions are the score less that of the text with every vector zero.
    The residual is what the sum of the steps misses of it.
    """
    stretches = integrate(score, embedded)
    matrix = sum((stretch.matrix for stretch in stretches[1:]), stretches[0].matrix)[0]  # (T, D)
    residual = sum(stretch.gap for stretch in stretches)
    return Attributed(matrix.sum(dim=1), matrix, residual, steps=STEPS * len(stretches))


def integrate(score: ClassScore, embedded: Tensor) -> list[Stretch]:
    """Return the stretches of the way, in no order, that together miss as little as :data:`TOLERANCE` allows."""
    import torch

    from nlpviz.networks.architectures import Jumping

    def scored(alpha: float) -> float:
        with torch.no_grad():
            return score(embedded if alpha == 1 else embedded * alpha).item()

    def walked(start: float, end: float, gained: float) -> Stretch:
        matrix = additions(score, embedded, start, end)
        return Stretch(start, end, matrix, gained - matrix.sum().item())

    scores = {alpha: scored(alpha) for alpha in (0.0, 1.0)}
    stretches = [walked(0.0, 1.0, scores[1.0] - scores[0.0])]
    allowed = max(TOLERANCE * abs(scores[1.0] - scores[0.0]), _NOTHING)
    most = STEPS if isinstance(score.classifier, Jumping) else MOST
    while abs(sum(stretch.gap for stretch in stretches)) > allowed and STEPS * len(stretches) < most:
        # By completeness the error of each stretch is known; the worst one is halved.
        start, end, *_ = worst = max(stretches, key=lambda stretch: abs(stretch.gap))
        middle = (start + end) / 2
        scores[middle] = scored(middle)
        stretches = [stretch for stretch in stretches if stretch is not worst]
        stretches += [walked(*one, scores[one[1]] - scores[one[0]]) for one in ((start, middle), (middle, end))]
    return stretches


def additions(score: ClassScore, embedded: Tensor, start: float = 0.0, end: float = 1.0) -> Tensor:
    """Return the integral of the gradient from ``start`` to ``end`` of the way times ``embedded``, (1, T, D).

    The gradient at an alpha is the derivative of the score at that alpha by the vectors themselves, divided by alpha:
    one derivative of a weighted sum gives the integral of all.
    """
    import torch

    from nlpviz.analysis.attribution.class_score import differentiable

    positions, weights = (torch.from_numpy(numbers).to(embedded) for numbers in _rule())
    alphas = start + (end - start) * (1 + positions) / 2
    # ∂score(α x) / ∂x = α · (gradient at α x): divided by α, it is the integrand.
    parts = weights * (end - start) / 2 / alphas
    total, done = torch.zeros_like(embedded), 0
    with differentiable():
        words = embedded.detach().requires_grad_()
        for scores in score.scaled(words, alphas):
            total += derivative(scores @ parts[done : done + len(scores)], words)
            done += len(scores)
    return total.detach() * embedded.detach()


@cache
def _rule() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the positions on (-1, 1) and the weights (S,) of Gauss and Legendre's rule; they sum to two."""
    return np.polynomial.legendre.leggauss(STEPS)


METHOD = Method(
    name="integrated-gradients",
    title="Integrated gradients",
    source="Sundararajan et al. 2017",
    formula=r"\text{score}(a) = a \cdot \int_0^1"
    r" \frac{\partial\,\text{score}(\alpha\,\text{text})}{\partial a}\,d\alpha",
    reading=(
        "What a word adds to or subtracts from the class score (log-odds) as all word vectors grow from zero to their "
        "actual values. These contributions sum to the score minus the score of zero vectors, up to a small numerical "
        f"error, the residual. The integral uses {STEPS} steps, or up to {MOST} if the error would exceed "
        f"{TOLERANCE:.0%}. If the score is discontinuous, no steps are added, because they cannot resolve a jump."
    ),
    unit="log-odds",
    signed=True,
    attribute=attribute,
    surveyed=True,
)
