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

    from nlpviz.networks.architectures import HierarchicalAttention


def attend(trained: TrainedModel, text: str) -> TextAttention:
    """Return the attention weights of a text, with the class probabilities.

    Args:
        trained: a classifier with attention pooling or self-attention, loaded by ``Run.load``.
        text: any text; a text without tokens has no weights.

    Returns:
        One weight per token, shape (T,), summing to 1. A hierarchical network also has sentence weights, and a
        Transformer has weights for every layer and head, shape (L, H, T, T).

    Raises:
        RunError: if the network is not a classifier, or has no attention.

    Example:
        >>> from nlpviz.analysis.inspection.attention import attend
        >>> from nlpviz.runs import open_run
        >>> attention = attend(open_run("imdb-han").load(), "The plot is dull. The actors are wonderful!")
        >>> [attention.text.read[position].word for position in attention.strongest(2)]
        ['dull', 'wonderful']
        >>> [round(sentence.weight, 2) for sentence in attention.sentences]
        [0.55, 0.45]
    """
    import torch

    from nlpviz.networks.architectures import (
        Classifier,
        HierarchicalAttention,
        PoolingAttention,
        SelfAttention,
        class_probabilities,
    )

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
