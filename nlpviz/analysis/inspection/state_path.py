"""The path of a text through the state space that the output layer reads, and the class direction there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from nlpviz.analysis.inspection.prediction import target_class
from nlpviz.results.state_space import StatePath, StateSpace
from nlpviz.runs import RunError, TrainedModel
from nlpviz.stats.principal_axes import principal_axes

if TYPE_CHECKING:
    from torch import Tensor

AXES = 3
"""Principal axes that are kept."""
_ROWS = 64  # prefixes that a network which reads both ways is asked at once


def state_path(trained: TrainedModel, text: str, target: int | None = None) -> StatePath:
    """Return the path of a text through the space of states that the output layer receives.

    Args:
        trained: a classifier that reads word by word and has one linear output layer, loaded by ``Run.load``.
        text: any text; the path of a text without tokens consists only of its starting point.
        target: the index of the class whose score is tracked; None selects the second class if there are two, and
            otherwise the predicted class.

    Returns:
        The state after each token, shape (T, E), the direction of the class in this space, shape (E,), and the change
        in the class score (log-odds) at each token, shape (T,).

    Raises:
        RunError: if the network does not read word by word.

    Example:
        >>> from nlpviz.analysis.inspection.state_path import state_path
        >>> from nlpviz.runs import open_run
        >>> path = state_path(open_run("imdb-lstm").load(), "A wonderful film.")
        >>> [path.text.read[position].word for position in path.strongest(1)]
        ['wonderful']
    """
    import torch

    from nlpviz.networks.architectures import class_probabilities, padded

    module, encoded = word_by_word(trained), trained.encode(text)
    with torch.inference_mode():
        ids = padded([encoded.row])
        embedded, mask = module.embed(ids), module.mask(ids)
        after = class_probabilities(module.classify_prefixes(embedded, mask)[0])
        whole = after[-1] if len(after) else class_probabilities(module.classify(embedded, mask))[0]
        read = read_after_each(module, embedded, mask)[0]
        before = module.encode(embedded[:, :0], mask[:, :0])[0]
    followed = target_class(trained.run, whole.numpy(), target)
    direction, bias = class_direction(module, followed)
    return StatePath(
        run=trained.run.name,
        epoch=trained.epoch,
        text=encoded,
        class_names=trained.run.class_names,
        target=followed,
        after=after.float().numpy().copy(),
        read=read.float().numpy().copy(),
        direction=direction,
        bias=bias,
        reading=str(module.config.reading),
        before=before.float().numpy().copy(),
    )


def word_by_word(trained: TrainedModel) -> Any:  # noqa: ANN401 - a WordByWord with a linear output layer
    """Return the model's module.

    Raises:
        RunError: if it does not read word by word, or what it reads of its states does not go through one linear layer.
    """
    from torch import nn

    from nlpviz.networks.architectures import WordByWord

    module = trained.module
    if not isinstance(module, WordByWord) or not isinstance(getattr(module, "output", None), nn.Linear):
        raise RunError(
            f"The run {trained.run.name!r} has no path through state space, because its network does not read "
            "word by word."
        )
    return module


def class_direction(module: Any, target: int) -> tuple[NDArray[np.float32], float]:  # noqa: ANN401 - of word_by_word
    """Return the weights (E,) and the bias of a class's score: of its log-odds where there are two classes."""
    weight, bias = module.output.weight.detach(), module.output.bias.detach()
    if len(weight) == 1:
        weight, bias = (weight, bias) if target == 1 else (-weight, -bias)
    else:
        others = [one for one in range(len(weight)) if one != target]
        weight, bias = weight[target] - weight[others].mean(dim=0), bias[target] - bias[others].mean()
    return weight.reshape(-1).float().numpy().copy(), float(bias)


def read_after_each(module: Any, embedded: Tensor, mask: Tensor) -> Tensor:  # noqa: ANN401 - of word_by_word
    """Return the document embedding (B, T, E) of each beginning of the texts, as if they ended there.

    A causal network's is made of its states; one that reads both ways reads each beginning anew.
    """
    import torch

    longest = embedded.shape[1]
    if not module.causal:
        rows = [_prefixes(module, one, own) for one, own in zip(embedded, mask, strict=True)]
        return torch.stack(rows)
    states = cast("Tensor", module.unroll(embedded, mask).states)[:, :, -1]
    if module.config.reading == "mean":
        return states.cumsum(dim=1) / torch.arange(1, longest + 1).unsqueeze(-1)
    if module.config.reading == "max" and longest:
        return states.cummax(dim=1).values
    return states


def _prefixes(module: Any, embedded: Tensor, mask: Tensor) -> Tensor:  # noqa: ANN401 - of word_by_word
    """Return the document embedding (T, E) of each beginning of one text (T, D)."""
    import torch

    longest = len(embedded)
    upto = torch.ones(longest, longest, dtype=torch.bool).tril() & mask
    parts = [
        module.encode(embedded.expand(len(some), -1, -1), some) for some in torch.split(upto, _ROWS)
    ]  # a few at once: all would be T copies of the text
    return torch.cat(parts) if parts else embedded.new_zeros(0, module.output.in_features)


def space_of_text(path: StatePath) -> StateSpace:
    """Return the principal axes of one text's own path, for a run whose test reviews were not read."""
    none = np.zeros(0, dtype=np.float32)
    mean, axes, shares = fitted_axes(path.points, path.direction)
    return StateSpace(
        run=path.run,
        epoch=path.epoch,
        mean=mean,
        axes=axes,
        shares=shares,
        fitted=len(path.points),
        reviews=1,
        ends=np.zeros((0, AXES), dtype=np.float32),
        scores=none,
        labels=none.astype(np.int8),
    )


def fitted_axes(
    points: NDArray[np.floating[Any]], toward: NDArray[np.floating[Any]] | None = None
) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
    """Return mean (E,), :data:`AXES` principal axes (A, E) of ``points`` (N, E) and the share of variance of each.

    A principal axis may point either way: towards ``toward`` (E,) where that is given.
    """
    found = principal_axes(points, AXES)
    if toward is not None:
        found.axes[found.axes @ toward < 0] *= -1
    along = found.project(points).var(axis=0)
    total = float(points.var(axis=0, dtype=np.float64).sum())
    shares = along / total if total > 0 else np.zeros(AXES)
    return found.mean.astype(np.float32), found.axes.astype(np.float32), shares.astype(np.float32)
