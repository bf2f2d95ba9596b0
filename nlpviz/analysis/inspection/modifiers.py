"""How a modifier changes the effect of the next word on the prediction, over states of reviews.

Maheswaranathan and Sussillo (2020), *How recurrent networks implement contextual processing in sentiment analysis*:
there, what a modifier does is read off its effect on the network's inputs near the line of slow points; here the words
are read, one after the other, and the score is measured.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from nlpviz.analysis.inspection.state_path import class_direction, word_by_word
from nlpviz.results.dynamics import Contexts
from nlpviz.results.modifiers import MODIFIERS, VALENCE, ModifierEffects
from nlpviz.runs import TrainedModel

if TYPE_CHECKING:
    from torch import Tensor

_LEAST = 4
"""Words that push: with fewer of them known, a factor is chance."""


def modifier_effects(
    trained: TrainedModel, contexts: Contexts, target: int, others: Sequence[str]
) -> ModifierEffects | None:
    """Return what :data:`MODIFIERS` do to the pushes of :data:`VALENCE`, as far as the vocabulary has them.

    Args:
        trained: a recurrent network.
        contexts: the states from which it reads on, with the scores of the class.
        target: the index of the class along whose direction a push is measured.
        others: the random words in place of modifiers, the null; some of them may be there more than once.

    Returns:
        The pushes; None where the vocabulary has too few of the words.
    """
    words = tuple(word for word in VALENCE if word in trained.vocabulary)
    modifiers = tuple(word for word in MODIFIERS if word in trained.vocabulary)
    if len(words) < _LEAST or not modifiers or not others:
        return None
    null = {one: pushes(trained, contexts, target, words, one) for one in dict.fromkeys(others)}
    return ModifierEffects(
        run=trained.run.name,
        epoch=trained.epoch,
        words=words,
        modifiers=modifiers,
        contexts=len(contexts.scores),
        plain=pushes(trained, contexts, target, words),
        modified=np.stack([pushes(trained, contexts, target, words, one) for one in modifiers]),
        null=np.stack([null[one] for one in others]),
    )


def pushes(
    trained: TrainedModel, contexts: Contexts, target: int, words: Sequence[str], before: str | None = None
) -> NDArray[np.float32]:
    """Return the mean push of each of the words (V,) over the contexts, read after ``before`` where that is given.

    The contexts have the scores of the class ``target``, along whose direction the words push.
    """
    import torch

    module = word_by_word(trained)
    direction, bias = class_direction(module, target)
    weights = torch.from_numpy(direction)
    states = torch.from_numpy(contexts.states.copy())
    scores = torch.from_numpy(contexts.scores.copy())
    with torch.inference_mode():
        if before is not None:
            states, shown = module.advance(_vectors(trained, [before]).expand(len(states), -1), states)
            scores = shown @ weights + bias
        vectors = _vectors(trained, words)
        count, size = len(vectors), states.shape[1]
        _, shown = module.advance(
            vectors.unsqueeze(0).expand(len(states), -1, -1).reshape(-1, vectors.shape[1]),
            states.unsqueeze(1).expand(-1, count, -1).reshape(-1, size),
        )
        after = (shown @ weights + bias).view(-1, count)
        result: NDArray[np.float32] = (after - scores.unsqueeze(1)).mean(dim=0).numpy().copy()
    return result


def _vectors(trained: TrainedModel, words: Sequence[str]) -> Tensor:
    """Return the vectors (N, D) of words, of unknown ones that of the unknown word."""
    import torch

    module: Any = trained.module
    ids = torch.from_numpy(trained.vocabulary.ids(words)).unsqueeze(0)
    vectors: Tensor = module.embed(ids)[0]
    return vectors
