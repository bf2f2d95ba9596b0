"""Saliency: how steeply the class score changes with each word vector.

Simonyan, Vedaldi and Zisserman (2014), *Deep Inside Convolutional Networks*; Li, Chen, Hovy and Jurafsky (2016),
*Visualizing and Understanding Neural Models in NLP*; Tixier (2018), section 5.4.3, equation 5. The derivative is
of the score, not of the loss, and a word's is summed up by its Euclidean norm.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from nlpviz.analysis.attribution import Attributed, Method, gradient

if TYPE_CHECKING:
    from torch import Tensor


def attribute(score: Callable[[Tensor], Tensor], embedded: Tensor) -> Attributed:
    """Return the norm of the gradient at each word, in log-odds for each unit that the vector moves."""
    derivative = gradient(score, embedded)[0]  # (T, D)
    # Tixier 2018, equation 5.
    return Attributed(scores=derivative.norm(dim=1), matrix=derivative)


METHOD = Method(
    name="saliency",
    title="Saliency, L2 norm",
    source="Simonyan et al. 2014; Li et al. 2016; Tixier 2018, equation 5",
    formula=r"\text{saliency}(a) = \left\lVert \frac{\partial\,\text{score}}{\partial a} \right\rVert_2",
    reading=(
        "The longer the bar, the more the score changes per unit of change in the word’s vector. Saliency has no sign: "
        "it shows where the model is sensitive, not which class a word supports."
    ),
    unit="log-odds per unit of the word’s vector",
    signed=False,
    attribute=attribute,
    surveyed=True,
)
