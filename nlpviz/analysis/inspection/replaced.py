"""How a score changes when each word of a text is replaced in turn: the change that a gradient only estimates.

The replacements are drawn at random by their frequency in the training texts (a unigram distribution), the same
ones in every place, so that places are compared on equal terms. A recurrent network reads on from the state before the
replaced word, and all texts at once: in place of T * K whole texts it reads their ends.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import Tensor

from nlpviz.analysis.inspection.memory import affordable, remembering
from nlpviz.analysis.inspection.prediction import target_class
from nlpviz.networks.architectures import Recurrent, WordByWord, class_probabilities, class_scores
from nlpviz.results.replaced_words import DRAWS, ReplacedWords
from nlpviz.runs import TrainedModel
from nlpviz.text.vocabulary import SPECIALS, Vocabulary

_SEED = 0
_READ = 12_800  # words that are read at once by a network without a state


def replace_words(
    trained: TrainedModel,
    text: str,
    draws: int = DRAWS,
    report: Callable[[float], object] = lambda _: None,
    *,
    target: int | None = None,
) -> ReplacedWords:
    """Return how the score of ``text`` changes when each of its words is replaced by ``draws`` others.

    Args:
        trained: a run's model, which reads word by word in one direction.
        text: anything; of one without tokens nothing is replaced.
        draws: K.
        report: progress callback, called with the completed fraction.
        target: the index of the class whose score it is; None takes that of :func:`target_class`.

    Raises:
        RunError: if the model does not read word by word, or a state of it depends on later words.
    """
    run, module = trained.run, remembering(trained)
    encoded = affordable(trained, text)
    ids, drawn = torch.from_numpy(encoded.row), drawn_words(trained.vocabulary, draws)
    with torch.inference_mode():
        embedded, mask = module.embed(ids.unsqueeze(0)), module.mask(ids.unsqueeze(0))
        logits = module.classify(embedded, mask)
        target = target_class(run, class_probabilities(logits)[0].numpy(), target)
        score = float(class_scores(logits)[0, target])
        others = module.embed(torch.from_numpy(drawn).unsqueeze(0))[0]  # (K, D)
        read = _going_on if isinstance(module, Recurrent) else _from_the_start
        changed = read(module, embedded[0], others, report) if len(ids) else logits.new_zeros(0, draws, 1)
        changes = class_scores(changed.flatten(0, 1))[:, target].view(len(ids), len(drawn)) - score
    return ReplacedWords(
        run=run.name,
        epoch=trained.epoch,
        text=encoded,
        class_names=run.class_names,
        target=target,
        score=score,
        drawn=tuple(trained.vocabulary.words[one] for one in drawn),
        changes=changes.float().numpy().copy(),
        seed=_SEED,
    )


def drawn_words(vocabulary: Vocabulary, draws: int) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Return the ids of words drawn by their frequency in the training texts, (K,)."""
    shares = vocabulary.counts / vocabulary.counts.sum()  # the special ids count 0
    return np.random.default_rng(_SEED).choice(len(vocabulary), size=draws, p=shares).clip(len(SPECIALS))


def _going_on(module: Any, embedded: Tensor, others: Tensor, report: Callable[[float], object]) -> Tensor:  # noqa: ANN401
    """Return the logits (T, K, C) of a text (T, D) with each of ``others`` (K, D) in each place, read on from there."""
    words, draws, reading = len(embedded), len(others), module.config.reading
    own = module.begin().unsqueeze(0)  # of the text itself
    states = embedded.new_zeros(words * draws, module.state_size)
    pooled = embedded.new_zeros(1 + words * draws, module.output.in_features)
    if reading == "max":
        pooled -= torch.inf
    for position, word in enumerate(embedded):
        rows = 1 + (position + 1) * draws  # the text itself, then those that are replaced up to here
        inputs = word.expand(rows, -1).clone()
        inputs[-draws:] = others
        states[position * draws : rows - 1] = own
        pooled[rows - draws : rows] = pooled[0]
        after, shown = module.advance(inputs, torch.cat([own, states[: rows - 1]]))
        own, states[: rows - 1] = after[:1], after[1:]
        if reading == "mean":
            pooled[:rows] += shown / words
        elif reading == "max":
            pooled[:rows] = torch.maximum(pooled[:rows], shown)
        else:
            pooled[:rows] = shown
        report(((position + 1) / words) ** 2)
    logits: Tensor = module.output(pooled[1:])
    return logits.view(words, draws, -1)


def _from_the_start(module: WordByWord, embedded: Tensor, others: Tensor, report: Callable[[float], object]) -> Tensor:
    """Return the same of a network without a state that it goes on from: every text is read as a whole."""
    words, draws = len(embedded), len(others)
    at_once = max(_READ // (words * draws), 1)
    mask = torch.ones(at_once * draws, words, dtype=torch.bool)
    logits = []
    for start in range(0, words, at_once):
        places = torch.arange(start, min(start + at_once, words))
        texts = embedded.repeat(len(places), draws, 1, 1)  # (P, K, T, D)
        texts[torch.arange(len(places)), :, places] = others
        logits.append(module.classify(texts.flatten(0, 1), mask[: len(places) * draws]))
        report(min(start + at_once, words) / words)
    return torch.cat(logits).view(words, draws, -1)
