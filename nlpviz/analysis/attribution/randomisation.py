"""The randomisation check: does an explanation change when the parameters are randomised, from the top layer down?

Adebayo, Gilmer, Muelly, Goodfellow, Hardt and Kim (2018), *Sanity Checks for Saliency Maps*, section 3.1, cascading
randomisation. An explanation that stays as it was does not depend on what the network learnt. They compare ranks with
the signs of the scores and without; so do we.

What is drawn is what the architecture itself begins a training with, word vectors too: nothing of another run.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import replace
from threading import Lock
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from nlpviz.analysis.attribution import explain
from nlpviz.networks.architectures import architectures
from nlpviz.results.explanation import Explanation
from nlpviz.results.randomisation import Randomisation
from nlpviz.runs import TrainedModel
from nlpviz.stats.rank_correlation import rank_correlation

SEED = 0
_NAMES = {"embedding": "word vectors", "norm": "normalisation", "output": "output layer", "project": "projection"}
_drawing = Lock()  # torch has one generator for all threads


class Stage(NamedTuple):
    """A network with a layer and all layers above it randomised; the layers below are shared with the original."""

    layer: str
    trained: TrainedModel


def randomised(trained: TrainedModel) -> tuple[Stage, ...]:
    """Return copies of a network in which more and more layers are re-initialised, starting at the output layer.

    This is the cascading randomisation of Adebayo et al. (2018), *Sanity Checks for Saliency Maps*: an explanation that
    stays the same does not depend on what the network learnt. ``trained`` is left unchanged. All layers that are not
    re-initialised are shared with the original network.

    Args:
        trained: a classifier, loaded by ``Run.load``.

    Returns:
        One stage per layer. The first has a new output layer; in the last, all parameters are new.

    Example:
        >>> from nlpviz.analysis.attribution.randomisation import randomised
        >>> from nlpviz.analysis.inspection.prediction import probabilities
        >>> from nlpviz.runs import open_run
        >>> stages = randomised(open_run("imdb-cnn").load())
        >>> stages[0].layer, stages[-1].layer
        ('output layer', 'word vectors')
        >>> print(probabilities(stages[-1].trained, "A waste of time.").round(1))
        [0.5 0.5]
    """
    fresh, module = _fresh(trained), trained.module
    stages = []
    for path in _paths(trained.module):
        module = _with_layer_of(fresh, module, path)
        stages.append(Stage(_name(trained.module, path), replace(trained, module=module)))
    return tuple(stages)


def scores_at(stage: Stage, explanation: Explanation) -> NDArray[np.float32]:
    """Return the scores (T,) of the same text, method and target by the network of a stage."""
    return explain(stage.trained, explanation.encoded.text, explanation.method, explanation.target).scores


def randomisation(
    explanation: Explanation, layers: Sequence[str], others: Sequence[NDArray[np.float32]]
) -> Randomisation:
    """Return how much an explanation has in common with those of the stages.

    Args:
        explanation: of the network as it is.
        layers: of the stages, in their order.
        others: the scores at each stage (:func:`scores_at`).
    """
    own = explanation.scores
    correlations = [(rank_correlation(own, scores), rank_correlation(abs(own), abs(scores))) for scores in others]
    scores, magnitudes = np.array(correlations, dtype=np.float64).reshape(-1, 2).T  # None becomes not a number
    return Randomisation(
        run=explanation.run,
        epoch=explanation.epoch,
        method=explanation.method,
        signed=explanation.signed,
        target=explanation.class_names[explanation.target],
        tokens=len(own),
        words=len(np.unique(explanation.encoded.ids)),
        layers=tuple(layers),
        scores=scores,
        magnitudes=magnitudes,
        seed=SEED,
    )


def _fresh(trained: TrainedModel) -> nn.Module:
    """Return the network as its architecture begins a training, frozen."""
    architecture = architectures()[trained.run.architecture]
    with _drawing, torch.random.fork_rng(devices=[]):
        torch.manual_seed(SEED)
        return architecture.build(architecture.config(**trained.run.config)).eval().requires_grad_(False)


def _paths(module: nn.Module) -> Iterator[tuple[str, ...]]:
    """Yield the way to each layer, from the top down: networks define their layers in the order of reading.

    The members of a list are layers of their own. Parameters that are in no layer, as positions, are added to the
    words before any layer reads them: they come last but one.
    """
    whole = [(name, child) for name, child in module.named_children() if any(True for _ in child.parameters())]
    (bottom, _), *above = whole
    for name, child in reversed(above):
        if isinstance(child, nn.ModuleList):
            yield from ((name, member) for member, _ in reversed(list(child.named_children())))
        else:
            yield (name,)
    yield from ((name,) for name, _ in module.named_parameters(recurse=False))
    yield (bottom,)


def _name(module: nn.Module, path: tuple[str, ...]) -> str:
    """Return what people call a layer: ``"output layer"``, ``"convolution 2 of 3"``."""
    name, *member = path
    plain = _NAMES.get(name, name.replace("_", " "))
    if not member:
        return plain
    count = len(list(module.get_submodule(name).children()))
    return f"{plain.removesuffix('s')} {int(member[0]) + 1} of {count}"


def _with_layer_of(fresh: nn.Module, module: nn.Module, path: tuple[str, ...]) -> nn.Module:
    """Return a copy of ``module`` that has one layer of ``fresh`` and shares all others with ``module``."""
    name, *rest = path
    result = copy(module)
    for held in ("_modules", "_parameters"):  # a plain copy would share these tables, and change the original
        vars(result)[held] = dict(vars(module)[held])
    new = getattr(fresh, name)
    setattr(result, name, _with_layer_of(new, getattr(module, name), tuple(rest)) if rest else new)
    return result
