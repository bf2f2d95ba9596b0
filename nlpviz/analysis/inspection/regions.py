"""The predictive regions of one text: which n-grams win the pooling, and what each adds to a class score.

Tixier (2018), section 5.4.2, ranks regions by the norm of their embedding; Johnson and Zhang (2015), section 3.6, by
what the top layer makes of them. With max pooling the second is exact: a filter's activation times its class weight
belongs to the one region that the pooling took, and all of them with the bias are the class score.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from nlpviz.results.regions import Branch, PredictiveRegions
from nlpviz.runs import RunError, TrainedModel

if TYPE_CHECKING:
    from torch import Tensor

    from nlpviz.networks.architectures import RegionEncoder


class Winners(NamedTuple):
    """The regions that one branch's pooling selects in each text of a batch.

    Attributes:
        size: h, in words.
        starts: int64 (B, F), k entries a filter; -1 where a text has no region left.
        activations: (B, F), after the ReLU.
        scores: (B, f, P), what each filter answers to each window before the ReLU.
    """

    size: int
    starts: Tensor
    activations: Tensor
    scores: Tensor


def predictive_regions(trained: TrainedModel, text: str, target: int | None = None) -> PredictiveRegions:
    """Return how much each n-gram of a text contributes to a class score of a convolutional network.

    With max pooling, the decomposition is exact: the contributions of all regions and the bias add up to the class
    score (Johnson and Zhang 2015, section 3.6).

    Args:
        trained: a convolutional network with max pooling, loaded by ``Run.load``.
        text: any text.
        target: the index of the class; None selects the predicted class.

    Returns:
        All regions with their contributions (log-odds) and the norms of their embeddings.

    Raises:
        RunError: if the network does not pool over regions, or the class does not exist.

    Example:
        >>> from nlpviz.analysis.inspection.regions import predictive_regions
        >>> from nlpviz.runs import open_run
        >>> regions = predictive_regions(open_run("imdb-cnn").load(), "What a waste of time.")
        >>> [region.ngram for region in regions.ranked("contribution")[:2]]
        ['waste', 'a waste']
    """
    import torch

    from nlpviz.networks.architectures import class_probabilities, class_scores

    run, encoder = trained.run, region_encoder(trained)
    if target is not None and target not in range(len(run.class_names)):
        raise RunError(f"The run {run.name!r} has no class {target}. Its classes are {', '.join(run.class_names)}.")
    encoded = trained.encode(text)
    ids = torch.from_numpy(encoded.row).unsqueeze(0)  # (1, T)
    with torch.no_grad():
        result = list(winners(trained, ids))
        document = torch.cat([branch.activations for branch in result], dim=1)  # (1, E)
        logits = encoder.output(document)
        scores = class_scores(logits)[0]
        wanted = int(class_probabilities(logits).argmax()) if target is None else target
        weights, bias = class_weights(encoder)
    branches, offset = [], 0
    for branch in result:
        entries = branch.starts.shape[1]
        amounts = branch.activations[0] * weights[wanted, offset : offset + entries]
        own = int((~branch.scores[0, 0].isneginf()).sum()) if branch.scores.shape[1] else 0
        embedding = branch.scores[0, :, :own].relu()  # (f, P): each column is a region's
        branches.append(
            Branch(
                branch.size,
                embedding.norm(dim=0).numpy(),
                branch.starts[0].numpy(),
                branch.activations[0].numpy(),
                amounts.numpy(),
            )
        )
        offset += entries
    return PredictiveRegions(
        run=run.name,
        epoch=trained.epoch,
        encoded=encoded,
        target=wanted,
        class_names=run.class_names,
        probabilities=class_probabilities(logits)[0].numpy(),
        class_score=float(scores[wanted]),
        bias=float(bias[wanted]),
        branches=tuple(branches),
    )


def region_encoder(trained: TrainedModel) -> RegionEncoder:
    """Return the model as a region encoder.

    Raises:
        RunError: if it does not.
    """
    from nlpviz.networks.architectures import RegionEncoder

    module = trained.module
    if not isinstance(module, RegionEncoder):
        raise RunError(f"The run {trained.run.name!r} has no regions, because its network does not pool over n-grams.")
    return module


def winners(trained: TrainedModel, ids: Tensor) -> Iterator[Winners]:
    """Yield the regions that each branch's pooling selects in each text of ``ids`` (B, T), padded at the end with 0."""
    import torch

    encoder = region_encoder(trained)
    embedded = encoder.embed(ids)
    for size, scores in zip(encoder.region_sizes, encoder.window_scores(embedded, encoder.mask(ids)), strict=True):
        answers, starts = scores.topk(encoder.pooled, dim=2)  # (B, f, k)
        missing = answers.isneginf()
        starts = torch.where(missing, -1, starts).flatten(1)
        yield Winners(size, starts, torch.where(missing, 0.0, answers.relu()).flatten(1), scores)


def class_weights(encoder: RegionEncoder) -> tuple[Tensor, Tensor]:
    """Return the weight of each entry of the document embedding for each class score (K, E), and the biases (K,)."""
    from nlpviz.networks.architectures import class_scores

    weights, bias = encoder.output.weight, encoder.output.bias
    return class_scores(weights.T).T, class_scores(bias.unsqueeze(0))[0]
