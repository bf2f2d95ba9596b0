"""Attribution methods, one per module: how much did each token matter to one class score?

Nothing here, nor in a method's own module, loads torch until a text is explained: a page can list methods at once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from nlpviz.discovery import discover
from nlpviz.results.explanation import Explanation
from nlpviz.runs import Run, RunError, TrainedModel

if TYPE_CHECKING:
    from torch import Tensor

    from nlpviz.analysis.attribution.class_score import ClassScore


class Attributed(NamedTuple):
    """What a method computes: scores (T,), their source per dimension (T, D) if any, and its axiom's residual.

    A method that integrates says in how many steps, and one that samples how far its scores may be off by chance:
    their standard errors (T,).
    """

    scores: Tensor
    matrix: Tensor | None
    residual: float | None = None
    steps: int | None = None
    error: Tensor | None = None


def _any_classifier(module: object) -> bool:  # noqa: ARG001 - a method may look at it
    return True


@dataclass(frozen=True)
class Method:
    """What a module under ``nlpviz.analysis.attribution`` exports as ``METHOD``.

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
        applies: whether the method can explain a classifier; by default every one.
        needs: what it needs of a classifier, in words that follow "needs"; empty where nothing.
        surveyed: whether it is put to the test of deletion over many test documents, in every committed run.
            Methods that read a text hundreds of times are not, nor are methods added after these surveys.
    """

    name: str
    title: str
    source: str
    formula: str
    reading: str
    unit: str
    signed: bool
    attribute: Callable[[ClassScore, Tensor], Attributed]
    applies: Callable[[object], bool] = _any_classifier
    needs: str = ""
    surveyed: bool = False


def methods() -> dict[str, Method]:
    """Return all attribution methods by name.

    A method has a title, a source, a formula in LaTeX and the unit of its scores. Each module of
    ``nlpviz.analysis.attribution`` that exports ``METHOD`` defines one.

    Example:
        >>> from nlpviz.analysis.attribution import methods
        >>> method = methods()["integrated-gradients"]
        >>> method.source, method.unit, method.signed
        ('Sundararajan et al. 2017', 'log-odds', True)
    """
    return discover("nlpviz.analysis.attribution", "METHOD", Method)


def methods_for(run: Run) -> dict[str, Method]:
    """Return the methods that can explain a run's network, by name; torch is loaded to find out."""
    from nlpviz.networks.architectures import untrained_instance

    module = untrained_instance(run.architecture, run.config)
    return {name: method for name, method in methods().items() if method.applies(module)}


def explain(trained: TrainedModel, text: str, method: str, target: int | None = None) -> Explanation:
    """Return the attribution score of each token of a text for one class.

    The network is left unchanged: no hooks and no gradients remain.

    Args:
        trained: a classifier, loaded by ``Run.load``.
        text: any text; a text without tokens has no scores.
        method: a name from :func:`methods`.
        target: the index of the class whose score is explained; None selects the predicted class.

    Returns:
        The scores of the T tokens, shape (T,), in the unit of the method and not normalised. Integrated gradients and
        the saliency methods also return a value for each embedding dimension, shape (T, D).

    Raises:
        RunError: if the network is not a classifier, the method does not apply to it, or the method or the class does
            not exist.

    Example:
        >>> from nlpviz.analysis.attribution import explain
        >>> from nlpviz.runs import open_run
        >>> model = open_run("imdb-cnn").load()
        >>> explanation = explain(model, "A waste of time.", "integrated-gradients")
        >>> explanation.class_names[explanation.target]
        'negative'
        >>> [explanation.encoded.read[position].word for position in explanation.strongest(1)]
        ['waste']
    """
    chosen = methods().get(method)
    if chosen is None:
        raise RunError(f"There is no method {method!r}; available: {', '.join(methods())}.")
    return explain_with(trained, text, chosen, target)


def explain_by_epoch(run: Run, text: str, method: str, target: int) -> list[Explanation]:
    """Return the attribution scores of a text for one class, as :func:`explain` does, of each kept epoch of a run."""
    return [explain(run.load(epoch), text, method, target) for epoch in run.epochs]


def explain_with(trained: TrainedModel, text: str, chosen: Method, target: int | None = None) -> Explanation:
    """Return what :func:`explain` returns, by a custom method, such as one of :func:`methods` with fewer samples."""
    import torch

    from nlpviz.analysis.attribution.class_score import class_score
    from nlpviz.networks.architectures import Classifier, Jumping, class_probabilities

    module, run = trained.module, trained.run
    if not isinstance(module, Classifier):
        raise RunError(f"The run {run.name!r} is not a classifier, so {chosen.title} cannot explain it.")
    if not chosen.applies(module):
        raise RunError(f"{chosen.title} needs {chosen.needs}, so it cannot explain the run {run.name!r}.")
    if target is not None and target not in range(len(run.class_names)):
        raise RunError(f"The run {run.name!r} has no class {target}. Its classes are {', '.join(run.class_names)}.")
    encoded = trained.encode(text)
    score = class_score(module, torch.from_numpy(encoded.row), target)
    attributed = chosen.attribute(score, score.embedded)
    return Explanation(
        run=run.name,
        epoch=trained.epoch,
        method=chosen.name,
        encoded=encoded,
        scores=attributed.scores.detach().float().numpy(),
        matrix=None if attributed.matrix is None else attributed.matrix.detach().float().numpy(),
        signed=chosen.signed,
        target=score.target,
        class_names=run.class_names,
        probabilities=class_probabilities(score.logits.detach())[0].float().numpy(),
        class_score=score(score.embedded).item(),
        residual=attributed.residual,
        steps=attributed.steps,
        jumps=module.jumps if isinstance(module, Jumping) else "",
        error=None if attributed.error is None else attributed.error.float().numpy(),
    )


def gradient(score: Callable[[Tensor], Tensor], embedded: Tensor) -> Tensor:
    """Return the derivative of ``score`` with respect to each word vector of ``embedded``, shape (B, T, D).

    What ``score`` answered before to the same ``embedded``, with a graph, is not computed again.
    """
    from nlpviz.analysis.attribution.class_score import differentiable

    words = embedded if embedded.requires_grad else embedded.detach().requires_grad_()
    with differentiable():
        return derivative(score(words).sum(), words)


def derivative(total: Tensor, words: Tensor) -> Tensor:
    """Return the derivative of one number, ``total``, with respect to ``words``, in their shape."""
    import torch

    if not total.requires_grad:  # a model may answer a text without tokens at once
        return torch.zeros_like(words)
    (result,) = torch.autograd.grad(total, words, retain_graph=True)
    return result


def completeness_gap(score: Callable[[Tensor], Tensor], embedded: Tensor, scores: Tensor) -> float:
    """Return what ``scores`` (T,) miss of the class score of ``embedded``, less that of zero vectors in their place."""
    import torch

    with torch.no_grad():
        gained = score(embedded) - score(torch.zeros_like(embedded))
        return (gained - scores.sum()).item()
