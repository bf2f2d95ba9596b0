"""What a network attends to in one text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from nlpviz.results.attention import AttendedSentence, TextAttention
from nlpviz.runs import RunError, TrainedModel
from nlpviz.text.sentences import sentences
from nlpviz.text.vocabulary import EncodedText

if TYPE_CHECKING:
    from torch import Tensor

    from nlpviz.models import HierarchicalAttention


def attend(trained: TrainedModel, text: str) -> TextAttention:
    """Return the weights that the network gives the words of ``text``, and what it says of the text.

    Args:
        trained: a run's model; it pools by attention, or its words attend to each other.
        text: anything; one without tokens gets no weights.

    Raises:
        RunError: if the model is no classifier, or has no attention.
    """
    import torch

    from nlpviz.models import Classifier, HierarchicalAttention, PoolingAttention, SelfAttention, class_probabilities

    run, module = trained.run, trained.module
    if not isinstance(module, Classifier) or not isinstance(module, PoolingAttention | SelfAttention):
        raise RunError(f"The run {run.name!r} has no attention mechanism.")
    encoded = trained.encode(text)
    ids = torch.from_numpy(encoded.row).unsqueeze(0)  # (1, T)
    within, heads = None, None
    result: tuple[AttendedSentence, ...] = ()
    with torch.inference_mode():
        embedded, mask = module.embed(ids), module.mask(ids)
        probabilities = class_probabilities(module.classify(embedded, mask))[0]
        if isinstance(module, HierarchicalAttention):
            words, within, result = _levels(module, embedded, mask, encoded)
        elif isinstance(module, PoolingAttention):
            words = _numbers(module.attend(embedded, mask)[0])
        else:
            heads = _numbers(module.heads(embedded, mask)[0])  # (L, H, T, T)
            words = heads.mean(axis=(0, 1, 2)) if len(encoded.ids) else np.zeros(0, np.float32)
    return TextAttention(
        run=run.name,
        epoch=trained.epoch,
        text=encoded,
        class_names=run.class_names,
        probabilities=_numbers(probabilities),
        words=words,
        within=within,
        sentences=result,
        heads=heads,
    )


def _levels(
    module: HierarchicalAttention, embedded: Tensor, mask: Tensor, encoded: EncodedText
) -> tuple[NDArray[np.float32], NDArray[np.float32], tuple[AttendedSentence, ...]]:
    """Return the weights of one text's words in the document vector and within their sentences, and its sentences."""
    within, weights = (_numbers(level[0]) for level in module.attend_levels(embedded, mask))
    read = len(encoded.ids)
    held = [sentence for sentence in sentences(encoded.text, encoded.tokens) if sentence.first < read]
    result = tuple(
        AttendedSentence(of.first, min(of.last, read), of.start, of.end, float(weight))
        for of, weight in zip(held, weights, strict=True)
    )
    counts = [sentence.last - sentence.first for sentence in result]
    return within * np.repeat(weights, counts), within, result


def _numbers(values: Tensor) -> NDArray[np.float32]:
    return np.array(values.float().numpy(), np.float32)
