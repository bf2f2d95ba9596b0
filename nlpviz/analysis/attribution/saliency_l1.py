"""Saliency summed up by absolute values: how steeply the class score changes if every dimension of a word moves.

The gradient is that of ``saliency.py``. Li, Chen, Hovy and Jurafsky (2016), *Visualizing and Understanding Neural
Models in NLP*, show its absolute values one by one; here a word's are added up.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from nlpviz.analysis.attribution import Attributed, Method, gradient

if TYPE_CHECKING:
    from torch import Tensor


def attribute(score: Callable[[Tensor], Tensor], embedded: Tensor) -> Attributed:
    """Return the sum of the gradient's absolute values at each word, in log-odds per unit of every dimension."""
    derivative = gradient(score, embedded)[0]  # (T, D)
    return Attributed(scores=derivative.abs().sum(dim=1), matrix=derivative)


METHOD = Method(
    name="saliency-l1",
    title="Saliency, L1 norm",
    source="Li et al. 2016",
    formula=r"\left\lVert \frac{\partial\,\text{score}}{\partial a} \right\rVert_1"
    r" = \sum_i \left\lvert \frac{\partial\,\text{score}}{\partial a_i} \right\rvert",
    reading=(
        "The longer the bar, the more the score rises if each dimension of the word’s vector moves by one unit in the "
        "direction that raises it. Many small slopes count as much as one steep slope. Saliency "
        "has no sign."
    ),
    unit="log-odds per unit of every dimension",
    signed=False,
    attribute=attribute,
    surveyed=True,
)
