r"""The training of word vectors with a vector for each text: rows of words, noise words, plain steps, epochs.

Le and Mikolov (2014), with negative sampling. Two things are done in another order than in gensim's program, so that
nearly all work is matrix products: a step takes some thousand words at once, in rows of one text each, and the rows of
a group share their noise words, each of which counts ``negative / shared`` times, so that the expected loss is the same
(Ji et al. 2016, *Parallelizing Word2Vec in Shared and Distributed Memory*).

The vectors that texts have in training are thrown away: those that are kept are inferred anew by the finished word
vectors, for training texts as for others. While word vectors still change, a text's vector keeps something of each
earlier state of them, and no text outside training has such a past.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import isfinite
from time import perf_counter
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from nlpviz.networks.paragraph_networks import ParagraphNetwork, SparseRows, drawn
from nlpviz.training import TrainingError
from nlpviz.word_vectors.learning.text import keep_probabilities

_MEASURED_EVERY = 32  # steps: a sample is enough for a mean, and the loss is not free


@dataclass(frozen=True)
class ParagraphFit:
    """How word vectors and the vectors of texts are trained.

    Attributes:
        epochs: passes over the texts.
        rate: learning rate at the beginning; it falls linearly to nothing.
        falls_over: epochs after which it would be nothing, where that is not the last one.
        subsample: threshold of the frequencies above which occurrences are dropped; 0 drops none.
        noise_power: noise words are drawn by their counts to this power.
        row: words of a text that are taken at once, at most.
        group: rows that share their noise words.
        groups: a step.
        shared: noise words a group.
        damping: how much of a row's curvature, which is bounded for all directions at once, shortens its step. 1 is
            safe and slow; without any, the plain sum of hundreds of a common word's steps overshoots.
        seed: of all that is drawn.
    """

    epochs: int = 20
    rate: float = 0.1
    falls_over: int | None = None
    subsample: float = 1e-4
    noise_power: float = 0.75
    row: int = 32
    group: int = 16
    groups: int = 8
    shared: int = 32
    damping: float = 0.25
    seed: int = 0


class WordRows(NamedTuple):
    """N texts one after the other.

    Attributes:
        ids: (T,), of the known words; others are left out.
        lengths: (N,), how many each text has.
    """

    ids: NDArray[np.int64]
    lengths: NDArray[np.int64]


class FittedPass(NamedTuple):
    """One pass: its number, 0 for none; its mean loss in nats a prediction, NaN for none; its seconds."""

    number: int
    loss: float
    seconds: float


def prepare(network: ParagraphNetwork, counts: NDArray[np.int64], settings: ParagraphFit) -> None:
    """Tell the network how often its words stand in texts: what is drawn as noise, and what is dropped.

    Args:
        network: to be trained.
        counts: (V,), of every id; 0 of padding and of the unknown word.
        settings: of the training.
    """
    noise = counts.astype(np.float64) ** settings.noise_power
    kept = keep_probabilities(np.maximum(counts, 1), settings.subsample) * (counts > 0)
    with torch.no_grad():
        network.share.copy_(torch.from_numpy(noise / noise.mean()))
        network.kept.copy_(torch.from_numpy(kept))


def fit(network: ParagraphNetwork, texts: WordRows, settings: ParagraphFit) -> Iterator[FittedPass]:
    """Train word vectors in place; yield before training and after every pass.

    Args:
        network: as :func:`prepare` left it.
        texts: that it learns to predict.
        settings: of the training.

    Raises:
        TrainingError: if it diverges.
    """
    rng, generator = np.random.default_rng(settings.seed), torch.Generator().manual_seed(settings.seed)
    size, device = network.config.dimensions, network.output.device
    documents = ((torch.rand(len(texts.lengths), size, generator=generator) - 0.5) / size).to(device)
    yield FittedPass(0, float("nan"), 0.0)
    for number in range(1, settings.epochs + 1):
        started = perf_counter()
        loss = _pass(network, documents, _rows(texts, network.kept.cpu().numpy(), settings.row, rng), settings, number)
        if not isfinite(float(network.output.detach().norm())):
            raise TrainingError(
                f"Pass {number} diverged; use more damping than {settings.damping:g} or a lower learning rate."
            )
        yield FittedPass(number, loss, perf_counter() - started)


class _Rows(NamedTuple):
    """Rows of words, (R, S) with 0 where there is none, and the number of each one's text, (R,)."""

    words: NDArray[np.int32]
    texts: NDArray[np.int64]


def _rows(texts: WordRows, kept: NDArray[np.float32], longest: int, rng: np.random.Generator) -> _Rows:
    """Return the words that are not dropped, each text cut into rows of about equal length, in random order."""
    stays = rng.random(len(texts.ids), dtype=np.float32) < kept[texts.ids]
    words, owners = texts.ids[stays], np.repeat(np.arange(len(texts.lengths)), texts.lengths)[stays]
    lengths = np.bincount(owners, minlength=len(texts.lengths))
    rows = -(-lengths // longest)
    places = np.arange(len(words)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    widths = -(-lengths // np.maximum(rows, 1))  # of the rows of each text but the last one
    row = np.repeat(np.cumsum(rows) - rows, lengths) + places // widths[owners]
    table = np.zeros((int(rows.sum()), longest), dtype=np.int32)
    table[row, places % widths[owners]] = words
    order = rng.permutation(len(table))
    return _Rows(table[order], np.repeat(np.arange(len(rows)), rows)[order])


@torch.no_grad()
def _pass(network: ParagraphNetwork, documents: Tensor, rows: _Rows, settings: ParagraphFit, number: int) -> float:
    """Take the steps of a pass; return the mean loss, in nats a prediction."""
    generator = torch.Generator().manual_seed(settings.seed * 10_000 + number)
    step, device = settings.group * settings.groups, documents.device
    starts = range(0, len(rows.words) // settings.group * settings.group, step)  # an odd rest waits for the next pass
    loss, predictions = 0.0, 0
    for position, start in enumerate(starts):
        stop = min(start + step, len(rows.words) // settings.group * settings.group)
        words = torch.from_numpy(rows.words[start:stop].astype(np.int64)).to(device)
        texts = torch.from_numpy(rows.texts[start:stop]).to(device)
        uniform = torch.rand((stop - start) // settings.group, settings.shared, generator=generator)
        noise, weights = drawn(network.share, uniform.to(device)), (words > 0).float()
        made = network.step(documents[texts], network.look_up(words, weights), noise)
        done = number - 1 + position / len(starts)
        rate = settings.rate * (1 - done / (settings.falls_over or settings.epochs))
        if position % _MEASURED_EVERY == 0:
            loss, predictions = loss + float(made.loss()), predictions + int(weights.sum())
        for name, changed in made.tables().items():
            _move(network.get_parameter(name).data, changed, rate, settings.damping)
        _move(documents, (SparseRows(texts, made.documents, made.curvatures()),), rate, settings.damping)
    return loss / max(predictions, 1)


def _move(table: Tensor, changed: tuple[SparseRows, ...], rate: float, damping: float) -> None:
    """Take a step with the rows of a table, whose occurrences are added up first.

    A row's step is the rate times its gradient over 1 + damping times the rate times a bound of the curvature: word2vec
    moves a word after each occurrence, and the plain sum of hundreds would overshoot.
    """
    rows, places = torch.unique(torch.cat([one.rows for one in changed]), return_inverse=True)
    total, bound, begun = torch.zeros(len(rows), table.shape[1], device=table.device), torch.ones_like(rows) * 1.0, 0
    for one in changed:
        own = places[begun : begun + len(one.rows)]
        total.index_add_(0, own, one.gradients)
        bound.index_add_(0, own, one.curvatures, alpha=rate * damping)
        begun += len(own)
    table.index_add_(0, rows, total.div_(bound.unsqueeze(1)), alpha=-rate)
