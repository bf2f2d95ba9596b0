"""Regions: what each n-gram that a filter picks adds to the class score, shared equally among its words.

The class score of a convolutional network is its output bias plus, for each filter, the activation of the region that
it picks times the output weight (Tixier 2018, section 5.2; the predictive regions of Johnson and Zhang 2015). That sum
is exact. That a region's words share alike in it is a convention of this project, so that regions can be compared with
methods that score words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from nlpviz.analysis.attribution import Attributed, Method, completeness_gap

if TYPE_CHECKING:
    from torch import Tensor

    from nlpviz.analysis.attribution.class_score import ClassScore
    from nlpviz.networks.architectures import RegionEncoder


def attribute(score: ClassScore, embedded: Tensor) -> Attributed:
    """Return each word's share of what the regions that contain it add to the class score; may be negative.

    The scores sum up to the class score less the output bias. The residual is what they miss of the score, less that
    of the text with every vector zero, which filters with biases answer as well.
    """
    import torch

    network, tokens = cast("RegionEncoder", score.classifier), embedded.shape[1]
    with torch.no_grad():
        answers = network.window_scores(embedded, score.mask)  # (1, F, P) of each branch
        weights = network.output.weight
        # Two classes share one output neuron: for the negative class its weights change sign.
        towards = weights[score.target] if len(weights) > 1 else weights[0] * (1 if score.target else -1)
        scores = embedded.new_zeros(tokens + max(network.region_sizes))
        done = 0
        for each, size in zip(answers, network.region_sizes, strict=True):
            count = each.shape[1] * network.pooled
            weight, done = towards[done : done + count], done + count
            largest, start = each[0].topk(min(network.pooled, each.shape[2]), dim=1)  # (F, k)
            picked = weight.view(-1, network.pooled)[:, : start.shape[1]]
            # A filter that ReLU silences adds nothing.
            shares = torch.where(largest > 0, largest * picked, 0.0) / max(min(size, tokens), 1)
            for place in range(size):  # beyond a text that is shorter than the region, nothing is shared
                own = start + place < tokens
                scores.index_add_(0, (start + place)[own], shares[own])
    return Attributed(scores[:tokens], None, completeness_gap(score, embedded, scores[:tokens]))


def applies(module: object) -> bool:
    """Return whether a classifier pools over regions."""
    from nlpviz.networks.architectures import RegionEncoder

    return isinstance(module, RegionEncoder)


METHOD = Method(
    name="regions",
    title="Regions",
    source="Tixier 2018, section 5.2; Johnson and Zhang 2015",
    formula=r"\text{score}(a) = \sum_{f:\ a \in r_f} \frac{w_f \max_i c_{f,i}}{h_f}",
    reading=(
        "Each filter selects one region of h words. The filter’s activation times its output weight is what the region "
        "adds to the class score (log-odds), divided equally among its h words. These contributions and the output "
        "bias sum to the total score. The equal split is a convention and does not show which word activated the "
        "filter."
    ),
    unit="log-odds",
    signed=True,
    attribute=attribute,
    applies=applies,
    needs="a network that pools over regions",
)
