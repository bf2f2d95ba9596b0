"""Occlusion: how much the class score drops when a word is replaced by the zero vector, which is that of padding.

Zeiler and Fergus (2014), *Visualizing and Understanding Convolutional Networks*, section 4.2, with one word as the
square that is moved; for texts Li, Monroe and Jurafsky (2016), *Understanding Neural Networks through Representation
Erasure*. The word keeps its place, as in Captum's ``Occlusion``; the test of deletion takes it out of the text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nlpviz.analysis.attribution import Attributed, Method, completeness_gap

if TYPE_CHECKING:
    from torch import Tensor

    from nlpviz.analysis.attribution.class_score import ClassScore


def attribute(score: ClassScore, embedded: Tensor) -> Attributed:
    """Return the score minus the score without each word, in log-odds; may be negative.

    These differences need not add up to anything: of two words that say the same, neither is missed. The residual is
    what their sum misses of the score, less that of the text with every vector zero.
    """
    import torch

    # Row t covers word t.
    kept = ~torch.eye(embedded.shape[1], dtype=torch.bool)
    with torch.no_grad():
        scores = score(embedded) - score.occluded(embedded, kept)
    return Attributed(scores, None, completeness_gap(score, embedded, scores))


METHOD = Method(
    name="occlusion",
    title="Occlusion",
    source="Zeiler and Fergus 2014, section 4.2; Li et al. 2016",
    formula=r"\text{score}(a) = \text{score}(\text{text}) - \text{score}(\text{text with } a = 0)",
    reading=(
        "How much the class score (log-odds) drops when only this word is replaced by a zero vector. If two words "
        "carry the same evidence, removing either may change nothing, so the drops need not sum to the score. The "
        "residual is the part of the score that the drops leave unexplained."
    ),
    unit="log-odds",
    signed=True,
    attribute=attribute,
)
