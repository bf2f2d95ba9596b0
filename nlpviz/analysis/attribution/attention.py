"""Attention as an explanation: the weight that the network itself gave to each word.

Bahdanau, Cho and Bengio (2015), *Neural Machine Translation by Jointly Learning to Align and Translate*; Yang et al.
(2016), *Hierarchical Attention Networks for Document Classification*. Whether such weights explain a prediction is
disputed: Jain and Wallace (2019), *Attention is not Explanation*; Wiegreffe and Pinter (2019), *Attention is not not
Explanation*.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nlpviz.analysis.attribution import Attributed, Method

if TYPE_CHECKING:
    from torch import Tensor

    from nlpviz.analysis.attribution.class_score import ClassScore


def attribute(score: ClassScore, embedded: Tensor) -> Attributed:
    """Return each word's attention weight; the weights sum to one and do not depend on the class.

    Where a network pools by attention it is the word's weight in the document vector, with sentences that within its
    sentence times the sentence's. Under self-attention it is what all queries of all layers and heads give, on average.
    """
    import torch

    from nlpviz.networks.architectures import PoolingAttention, SelfAttention

    classifier = score.classifier
    with torch.no_grad():
        if isinstance(classifier, PoolingAttention):
            return Attributed(classifier.attend(embedded, score.mask)[0], None)
        if isinstance(classifier, SelfAttention):
            return Attributed(classifier.heads(embedded, score.mask)[0].mean(dim=(0, 1, 2)), None)
    raise TypeError(f"{type(classifier).__name__} has no attention")


def applies(module: object) -> bool:
    """Return whether a classifier has attention."""
    from nlpviz.networks.architectures import PoolingAttention, SelfAttention

    return isinstance(module, PoolingAttention | SelfAttention)


METHOD = Method(
    name="attention",
    title="Attention",
    source="Bahdanau et al. 2015; Yang et al. 2016; disputed by Jain and Wallace 2019",
    formula=r"\alpha_t = \frac{\exp(u_t^\top u)}{\sum_{t'} \exp(u_{t'}^\top u)}, \qquad \sum_t \alpha_t = 1",
    reading=(
        "The share of attention that each word receives: the weight α with which the network pools its annotations. "
        "In a network with sentence attention, it is the word’s weight within its sentence times the "
        "sentence’s weight; in a Transformer, it is the mean over all queries, heads and layers. The weight has no "
        "sign and does not refer to any class. Each annotation also encodes neighbouring words."
    ),
    unit="share of attention",
    signed=False,
    attribute=attribute,
    applies=applies,
    needs="a network with attention",
    surveyed=True,
)
