"""Gradient times input: to first order, what each word adds to the class score over a zero vector in its place.

Shrikumar, Greenside and Kundaje (2017), *Learning Important Features Through Propagating Activation Differences*,
section 2; Ancona, Ceolini, Öztireli and Gross (2018), *Towards Better Understanding of Gradient-based Attribution*.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from nlpviz.analysis.attribution import Attributed, Method, completeness_gap, gradient

if TYPE_CHECKING:
    from torch import Tensor


def attribute(score: Callable[[Tensor], Tensor], embedded: Tensor) -> Attributed:
    """Return the product of gradient and word vector, in log-odds; it may be negative.

    For a network that is linear between its ReLUs the products add up to the score less its biases' share.
    The residual is that share: the score, less that of the text with every vector zero, less the sum.
    """
    products = gradient(score, embedded)[0] * embedded.detach()[0]  # (T, D)
    scores = products.sum(dim=1)
    return Attributed(scores, products, completeness_gap(score, embedded, scores))


METHOD = Method(
    name="gradient-input",
    title="Gradient × input",
    source="Shrikumar et al. 2017; Ancona et al. 2018",
    formula=r"\text{score}(a) = a \cdot \frac{\partial\,\text{score}}{\partial a}",
    reading=(
        "A first-order estimate of what a word adds to or subtracts from the class score (log-odds), relative to a "
        "zero vector in its place. The residual is the part of the score that these contributions leave unexplained."
    ),
    unit="log-odds",
    signed=True,
    attribute=attribute,
    surveyed=True,
)
