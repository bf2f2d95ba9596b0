"""Texts as a network reads them, and their way through it in batches of like length."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlpviz.runs import TrainedModel
from nlpviz.text.vocabulary import UNKNOWN

if TYPE_CHECKING:
    from torch import Tensor

_TEXTS, _TOKENS = 256, 1 << 14
"""Of a batch, padding among the tokens, so that long texts take no more memory than short ones."""


class ReadText(NamedTuple):
    """What a network reads of a text, (T,), how many tokens the text has, and how many of those read are unknown."""

    row: NDArray[np.int64]
    tokens: int
    unknown: int


def read(trained: TrainedModel, texts: Iterable[str]) -> list[ReadText]:
    """Return what the network reads of each text."""
    encoded = map(trained.encode, texts)  # one at a time: a text's tokens take many times the memory of its ids
    return [ReadText(one.row, len(one.tokens), int((one.ids == UNKNOWN).sum())) for one in encoded]


def forward(
    found: Sequence[ReadText], answer: Callable[[Tensor], list[Tensor]], sizes: Sequence[int]
) -> list[NDArray[np.float32]]:
    """Return what ``answer`` makes of the texts, an array (N, size) for each of ``sizes``.

    Args:
        found: the N texts.
        answer: from ids (B, T) to tensors (B, size).
        sizes: of a text's answers.
    """
    import torch

    from nlpviz.networks.architectures import padded

    results = [np.zeros((len(found), size), dtype=np.float32) for size in sizes]
    with torch.inference_mode():
        for positions in batches(np.array([len(one.row) for one in found], dtype=np.int64)):
            answers = answer(padded([found[position].row for position in positions]))
            for result, some in zip(results, answers, strict=True):
                result[positions] = some.numpy()
    return results


def batches(lengths: NDArray[np.int64]) -> list[NDArray[np.intp]]:
    """Return the positions of each batch's texts, the shortest first: every text once, little padding."""
    order = np.argsort(lengths, kind="stable")
    starts, first = [], 0
    for place, length in enumerate(lengths[order]):
        texts = place + 1 - first
        if texts > 1 and (texts > _TEXTS or texts * length > _TOKENS):
            starts.append(place)
            first = place
    return np.split(order, starts) if len(order) else []
