"""Saliency by the steepest dimension: the largest absolute derivative of the class score within a word's vector.

Simonyan, Vedaldi and Zisserman (2014), *Deep Inside Convolutional Networks*, section 3.1, where the maximum is taken
over the colours of a pixel.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from nlpviz.analysis.attribution import Attributed, Method, gradient

if TYPE_CHECKING:
    from torch import Tensor


def attribute(score: Callable[[Tensor], Tensor], embedded: Tensor) -> Attributed:
    """Return the largest absolute derivative at each word, in log-odds per unit of one dimension."""
    derivative = gradient(score, embedded)[0]  # (T, D)
    return Attributed(scores=derivative.abs().amax(dim=1), matrix=derivative)


METHOD = Method(
    name="saliency-max",
    title="Saliency, maximum",
    source="Simonyan et al. 2014, section 3.1",
    formula=r"\left\lVert \frac{\partial\,\text{score}}{\partial a} \right\rVert_\infty"
    r" = \max_i \left\lvert \frac{\partial\,\text{score}}{\partial a_i} \right\rvert",
    reading=(
        "The bar shows how steeply the score changes along the steepest dimension of the word’s vector, regardless of "
        "the other dimensions. Saliency has no sign."
    ),
    unit="log-odds per unit of one dimension",
    signed=False,
    attribute=attribute,
    surveyed=True,
)
