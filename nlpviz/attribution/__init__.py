"""Attribution methods, one a module: how much did each token matter to one class score?

Nothing here loads torch until a text is explained, so that a page can list the methods at once; a method's own
module keeps to that.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from nlpviz.discovery import discover
from nlpviz.explanation import Explanation
from nlpviz.runs import RunError, TrainedModel

if TYPE_CHECKING:
    from torch import Tensor


class Attributed(NamedTuple):
    """What a method computes: scores (T,), their source per dimension (T, D), and its axiom's residual."""

    scores: Tensor
    matrix: Tensor
    residual: float | None = None


@dataclass(frozen=True)
class Method:
    """What a module under ``nlpviz.attribution`` exports as ``METHOD``.

    Attributes:
        name: on the command line and in links.
        title: how people call it.
        source: the paper.
        formula: LaTeX, of one token's score.
        reading: one or two sentences: what a score says, and what it does not.
        unit: of a score.
        signed: whether a negative score speaks against the target.
        attribute: from ``score``, which maps embedded words (B, T, D) to the target's class score (B,), and the
            text's own embedded words (1, T, D).
    """

    name: str
    title: str
    source: str
    formula: str
    reading: str
    unit: str
    signed: bool
    attribute: Callable[[Callable[[Tensor], Tensor], Tensor], Attributed]


def methods() -> dict[str, Method]:
    """Return every method, by name."""
    return discover("nlpviz.attribution", "METHOD", Method)


def explain(trained: TrainedModel, text: str, method: str, target: int | None = None) -> Explanation:
    """Return how much each token of ``text`` mattered, by ``method``, to the score of class ``target``.

    The model is left as it was: no hook, no stored gradient. A text without tokens gets no scores.

    Args:
        trained: a run's model; it must be a :class:`nlpviz.models.Classifier`.
        text: anything.
        method: a name in :func:`methods`.
        target: a class index; None takes the predicted class.

    Raises:
        RunError: if the model is no classifier, or there is no such method or class.
    """
    import torch

    from nlpviz.models import Classifier, class_probabilities, class_scores

    chosen = methods().get(method)
    if chosen is None:
        raise RunError(f"There is no method {method!r}; the methods are {', '.join(methods())}.")
    module, run = trained.module, trained.run
    if not isinstance(module, Classifier):
        raise RunError(f"The run {run.name!r} is no classifier: {chosen.title} cannot explain it.")
    if target is not None and target not in range(len(run.class_names)):
        raise RunError(f"The run {run.name!r} has no class {target}; it has {', '.join(run.class_names)}.")
    encoded = trained.vocabulary.encode(text, run.max_length)
    ids = torch.from_numpy(encoded.ids).unsqueeze(0)  # (1, T)
    mask = torch.ones_like(ids, dtype=torch.bool)
    embedded = module.embed(ids).detach()
    logits = module.classify(embedded, mask).detach()
    wanted = int(class_scores(logits).argmax()) if target is None else target

    def score(words: Tensor) -> Tensor:
        return class_scores(module.classify(words, mask.expand(len(words), -1)))[:, wanted]

    attributed = chosen.attribute(score, embedded)
    return Explanation(
        run=run.name,
        epoch=trained.epoch,
        method=method,
        encoded=encoded,
        scores=_array(attributed.scores),
        matrix=_array(attributed.matrix),
        signed=chosen.signed,
        target=wanted,
        class_names=run.class_names,
        probabilities=_array(class_probabilities(logits)[0]),
        class_score=float(class_scores(logits)[0, wanted]),
        residual=attributed.residual,
    )


def gradient(score: Callable[[Tensor], Tensor], embedded: Tensor) -> Tensor:
    """Return the derivative of ``score`` with respect to each word vector of ``embedded``, shape (B, T, D).

    cuDNN refuses to differentiate a recurrent network in evaluation mode; plain kernels do not.
    """
    import torch

    words = embedded.detach().requires_grad_()
    with torch.enable_grad(), torch.backends.cudnn.flags(enabled=False):
        total = score(words).sum()
        if not total.requires_grad:  # a model may answer a text without tokens at once
            return torch.zeros_like(embedded)
        (derivative,) = torch.autograd.grad(total, words)
    return derivative


def _array(tensor: Tensor) -> np.ndarray:
    return np.array(tensor.detach().cpu().numpy(), dtype=np.float32)
