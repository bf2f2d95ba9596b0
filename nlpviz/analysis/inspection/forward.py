"""One text on its way through a convolutional network, with the numbers of each step.

Kim (2014), equations 1 to 3; Tixier (2018), section 5.2. A network that pools more than one window of a filter shows
the largest.
"""

from __future__ import annotations

from nlpviz.analysis.inspection.regions import class_weights, predictive_regions, region_encoder, winners
from nlpviz.results.forward import FilterPass, ForwardPass
from nlpviz.runs import TrainedModel

_MOST = 6


def forward_pass(trained: TrainedModel, text: str, target: int, most: int = _MOST) -> ForwardPass:
    """Return the steps of ``text`` through the network, for the ``most`` filters that affect the class score most.

    Args:
        trained: a run's model; it must be a :class:`nlpviz.networks.architectures.RegionEncoder`.
        text: anything; one without a token has no filters to show.
        target: a class index.
        most: filters.

    Raises:
        RunError: if the model pools over no regions, or there is no such class.
    """
    import torch

    result = predictive_regions(trained, text, target)
    encoder = region_encoder(trained)
    ids = torch.from_numpy(result.encoded.row).unsqueeze(0)  # (1, T)
    with torch.no_grad():
        vectors = encoder.embed(ids)[0].numpy()  # (T, D)
        branches = list(winners(trained, ids))
        weights, _ = class_weights(encoder)
    passes: list[FilterPass] = []
    offset = 0
    for branch, kept in zip(branches, result.branches, strict=True):
        for place in range(0, len(kept.starts), encoder.pooled):
            answers = branch.scores[0, place // encoder.pooled].numpy()[: len(kept.norms)]
            start, activation = int(kept.starts[place]), float(kept.activations[place])
            weight = float(weights[target, offset + place])
            if start >= 0:
                passes.append(FilterPass(offset + place, branch.size, answers, start, activation, weight))
        offset += len(kept.starts)
    shown = sorted(passes, key=lambda one: -abs(one.amount))[:most]
    everything = float(sum(branch.amounts.sum(dtype=float) for branch in result.branches))
    return ForwardPass(
        run=result.run,
        epoch=result.epoch,
        encoded=result.encoded,
        vectors=vectors,
        filters=tuple(shown),
        others=len(passes) - len(shown),
        rest=everything - sum(one.amount for one in shown),
        bias=result.bias,
        class_score=result.class_score,
        probability=float(result.probabilities[target]),
        target=result.class_names[target],
    )
