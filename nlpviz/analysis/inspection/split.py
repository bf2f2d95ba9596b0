"""Reading a whole split with one epoch's network: every region that wins a filter, in every document.

A region's key is the number that its word ids form in base V, so that equal n-grams have equal keys.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlpviz.analysis.inspection.regions import class_weights, region_encoder, winners
from nlpviz.runs import TrainedModel
from nlpviz.text.vocabulary import PAD, Vocabulary

BATCH = 256


class Split(NamedTuple):
    """Documents to be read: names, labels (N,), encoded texts, and which of their words are part of a rating."""

    names: Sequence[str]
    labels: NDArray[np.integer]
    ids: Sequence[NDArray[np.integer]]
    rated: Sequence[NDArray[np.bool_]] = ()


@dataclass(frozen=True)
class Taken:
    """The regions of one size that pooling selected in every document.

    Attributes:
        size: h, in words.
        keys: int64 (N, F), the region that each entry of the embedding takes; -1 for none.
        activations: float32 (N, F).
        weights: float32 (K, F), of each class.
        pooled: k of the k-max pooling: so many entries belong to one filter.
    """

    size: int
    keys: NDArray[np.int64]
    activations: NDArray[np.float32]
    weights: NDArray[np.float32]
    pooled: int

    def take(self, positions: Sequence[int]) -> Taken:
        """Return the regions in some of the documents."""
        return replace(self, keys=self.keys[positions], activations=self.activations[positions])


def read_split(
    trained: TrainedModel, ids: Sequence[NDArray[np.integer]], say: Callable[[str], None] = lambda _: None
) -> list[Taken]:
    """Return the regions that each branch's pooling selects in each text of ``ids``, int arrays (T,).

    Raises:
        RunError: if the model pools over no regions.
    """
    import torch

    from nlpviz.networks.architectures import padded

    encoder, words = region_encoder(trained), len(trained.vocabulary)
    sizes = encoder.region_sizes
    shape = (len(ids), encoder.output.in_features // len(sizes))
    keys = [np.full(shape, -1, dtype=np.int64) for _ in sizes]
    activations = [np.zeros(shape, dtype=np.float32) for _ in sizes]
    order = np.argsort([len(text) for text in ids], kind="stable")  # little padding
    with torch.inference_mode():
        for first in range(0, len(order), BATCH):
            positions = order[first : first + BATCH]
            batch = padded([ids[position] for position in positions])
            for branch, taken in enumerate(winners(trained, batch)):
                result = np.take_along_axis(_keys(batch.numpy(), taken.size, words), taken.starts.numpy(), axis=1)
                keys[branch][positions] = np.where(taken.starts.numpy() < 0, -1, result)
                activations[branch][positions] = taken.activations.numpy()
        weights = np.split(class_weights(encoder)[0].numpy(), len(sizes), axis=1)
    say(f"epoch {trained.epoch}: read {len(ids):,} documents")
    columns = zip(sizes, keys, activations, weights, strict=True)
    return [Taken(size, key, activation, weight, encoder.pooled) for size, key, activation, weight in columns]


def _keys(batch: NDArray[np.int64], size: int, words: int) -> NDArray[np.int64]:
    """Return the key of each window of each text of ``batch`` (B, T), (B, max(T - size, 0) + 1)."""
    room = max(size - batch.shape[1], 0)
    batch = np.pad(batch, ((0, 0), (0, room)), constant_values=PAD)
    count = batch.shape[1] - size + 1
    keys = np.zeros((len(batch), count), dtype=np.int64)
    for position in range(size):
        keys = keys * words + batch[:, position : position + count]
    return keys


def ids_of(keys: NDArray[np.int64], size: int, words: int) -> NDArray[np.int64]:
    """Return the word ids of n-grams by their keys, (G, size)."""
    return np.stack([keys // words**position % words for position in reversed(range(size))], axis=1)


def rated_shares(split: Split, keys: NDArray[np.int64], size: int, words: int) -> NDArray[np.float64]:
    """Return the share of the n-grams' occurrences in a split's texts that contain a word of a rating, (G,).

    Args:
        split: the texts.
        keys: of the n-grams, (G,), each once.
        size: of the n-grams.
        words: in the vocabulary.
    """
    order = np.argsort(keys)
    if not split.rated or not len(keys):
        return np.zeros(len(keys))
    between = [np.full(size, PAD)]  # no window of two texts is an n-gram
    flat = np.concatenate([part for text in split.ids for part in (text, *between)])
    inside = np.concatenate([part for flags in split.rated for part in (flags, *between)]).astype(bool)
    windows = _keys(flat[None], size, words)[0]
    held = np.lib.stride_tricks.sliding_window_view(inside, size).any(axis=1)
    place = np.minimum(np.searchsorted(keys[order], windows), len(keys) - 1)
    found = keys[order][place] == windows
    totals, rated = (np.bincount(place[some], minlength=len(keys)) for some in (found, found & held))
    shares = np.zeros(len(keys))
    shares[order] = rated / np.maximum(totals, 1)
    return shares


def ngram_of(key: int, size: int, vocabulary: Vocabulary) -> str:
    """Return an n-gram's words, those of padding left out."""
    ids = ids_of(np.array([key]), size, len(vocabulary))[0]
    return " ".join(vocabulary.words[token_id] for token_id in ids if token_id != PAD)
