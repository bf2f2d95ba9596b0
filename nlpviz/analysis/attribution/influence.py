"""TracIn at the word vectors: by how much a step on a training document lowered the loss of a text, to first order.

Pruthi, Liu, Kale and Sundararajan (2020), equation 4 (TracInCP): the sum over kept epochs of the learning rate times
the dot product of two gradients. The gradients are those with respect to the table of word vectors (Yeh et al. 2022,
TracIn-WE), so that a dot product is a sum over the words that both texts hold: the words through which one acts on the
other. A training by AdamW on averaged weights is not the plain gradient descent that the sum follows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, cast

import numpy as np
import torch
from numpy.typing import NDArray

from nlpviz.analysis.attribution import gradient_sketch
from nlpviz.analysis.attribution.word_gradients import WordGradients, batches, word_gradients
from nlpviz.networks.architectures import Classifier
from nlpviz.runs import Run, RunError
from nlpviz.text.vocabulary import SENTENCE

EPOCHS = 4
"""Kept epochs at which gradients are compared, at most."""
Opened = Callable[[int], Classifier]
"""Returns the network with the weights of an epoch."""


class LabelledRows(NamedTuple):
    """LabelledRows as a network reads them, ids (T,) each, and their classes (N,)."""

    rows: Sequence[NDArray[np.integer]]
    labels: NDArray[np.integer]


class Checkpoints(NamedTuple):
    """The epochs at which gradients are compared, and by how much each counts: the word vectors' learning rate."""

    epochs: tuple[int, ...]
    weights: tuple[float, ...]


def trains_words(run: Run) -> bool:
    """Return whether the run's training changed a table with a vector for each word: only then it says anything."""
    return not run.config.get("static", True) and not run.config.get("cutoffs")


def checkpoints(run: Run) -> Checkpoints:
    """Return the kept epochs, up to the best one, at which gradients are compared: evenly spaced, the best the last.

    Raises:
        RunError: if the word vectors were not trained, or no epoch after the start is kept.
    """
    if not trains_words(run):
        raise RunError(
            f"The word vectors of the run {run.name!r} were not trained, so influence through them cannot be measured."
        )
    kept = [epoch for epoch in run.surveyed if 0 < epoch <= run.best_epoch]
    if not kept:
        raise RunError(f"The run {run.name!r} has no stored checkpoint at which gradients can be compared.")
    chosen = np.unique(np.linspace(len(kept) - 1, 0, min(EPOCHS, len(kept))).round().astype(int))
    fit = run.recipe["fit"]
    rate = fit["learning_rate"] if fit.get("embedding_rate") is None else fit["embedding_rate"]
    return Checkpoints(tuple(kept[place] for place in chosen), (float(rate),) * len(chosen))


def through_words(
    opened: Opened,
    at: Checkpoints,
    text: tuple[NDArray[np.integer], int],
    others: LabelledRows,
    report: Callable[[float], object] = lambda _: None,
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Return the text's different words (W,), and the influence of C documents by epoch and word, (K, C, W).

    Args:
        opened: gives the network of an epoch.
        at: the K epochs.
        text: what the network reads of it, and the class whose loss is explained.
        others: the C documents.
        report: progress callback, called with the completed fraction.
    """
    words = np.unique(text[0] % SENTENCE)
    result = np.zeros((len(at.epochs), len(others.rows), len(words)), dtype=np.float32)
    for place, (epoch, weight) in enumerate(zip(at.epochs, at.weights, strict=True)):
        module = opened(epoch)
        own = word_gradients(module, [text[0]], np.array([text[1]]))
        if not len(own.words):
            continue
        for some in batches(others.rows):
            found = word_gradients(module, [others.rows[one] for one in some], others.labels[some])
            rows, shared, products = _shared(own, found)
            result[place, some[rows], np.searchsorted(words, shared)] = weight * products
        report((place + 1) / len(at.epochs))
    return words, result


def between(opened: Opened, at: Checkpoints, texts: LabelledRows, documents: LabelledRows) -> NDArray[np.float32]:
    """Return the influence of each of N documents on each of R texts, (R, N); arguments as :func:`through_words`."""
    result = np.zeros((len(texts.rows), len(documents.rows)), dtype=np.float32)
    for epoch, weight in zip(at.epochs, at.weights, strict=True):
        module = opened(epoch)
        own = [word_gradients(module, [row], texts.labels[[place]]) for place, row in enumerate(texts.rows)]
        for some in batches(documents.rows):
            found = word_gradients(module, [documents.rows[one] for one in some], documents.labels[some])
            for sums, gradients in zip(result, own, strict=True):
                if len(gradients.words):
                    rows, _, products = _shared(gradients, found)
                    np.add.at(sums, some[rows], weight * products)
    return result


def hashed_text(opened: Opened, at: Checkpoints, text: tuple[NDArray[np.integer], int]) -> NDArray[np.float32]:
    """Return the hashed sums (BUCKETS,) of a text's gradient over the epochs; arguments as :func:`through_words`."""
    total = torch.zeros(gradient_sketch.BUCKETS)
    for epoch, weight in zip(at.epochs, at.weights, strict=True):
        own = word_gradients(opened(epoch), [text[0]], np.array([text[1]]))
        hashes = gradient_sketch.hashing(own.words.numpy(), own.vectors.shape[1], epoch)
        total += gradient_sketch.hashed(own, 1, weight, hashes)[0]
    return total.numpy()


def hashed_documents(
    opened: Opened, at: Checkpoints, documents: LabelledRows, report: Callable[[float], object] = lambda _: None
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the hashed sums (N, BUCKETS) of documents' gradients, and each one's influence on itself, (N,).

    Args:
        opened: gives the network of an epoch.
        at: the epochs.
        documents: N of them.
        report: progress callback, called with the completed fraction.
    """
    sums = np.zeros((len(documents.rows), gradient_sketch.BUCKETS), dtype=np.float32)
    selves = np.zeros(len(documents.rows), dtype=np.float32)
    largest = max((int((row % SENTENCE).max()) for row in documents.rows if len(row)), default=0)
    for place, (epoch, weight) in enumerate(zip(at.epochs, at.weights, strict=True)):
        module = opened(epoch)
        width = module.embed(torch.ones(1, 1, dtype=torch.int64)).shape[2]
        table, done = gradient_sketch.hashing(np.arange(largest + 1), width, epoch), 0
        for some in batches(documents.rows):
            found = word_gradients(module, [documents.rows[one] for one in some], documents.labels[some])
            hashes = gradient_sketch.Hashing(table.buckets[found.words], table.signs[found.words])
            sums[some] += gradient_sketch.hashed(found, len(some), weight, hashes).numpy()
            selves[some] += weight * found.squared_norms(len(some)).numpy()
            done += len(some)
            report((place + done / len(documents.rows)) / len(at.epochs))
    return sums, selves


def on_themselves(opened: Opened, at: Checkpoints, documents: LabelledRows) -> NDArray[np.float32]:
    """Return the influence (N,) of each document on its own loss: a wrong label must be learnt from itself.

    Pruthi et al. (2020), section 4.1, find mislabelled documents so; arguments as :func:`hashed_documents`.
    """
    selves = np.zeros(len(documents.rows), dtype=np.float32)
    for epoch, weight in zip(at.epochs, at.weights, strict=True):
        module = opened(epoch)
        for some in batches(documents.rows):
            found = word_gradients(module, [documents.rows[one] for one in some], documents.labels[some])
            selves[some] += weight * found.squared_norms(len(some)).numpy()
    return selves


def _shared(
    own: WordGradients, found: WordGradients
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float32]]:
    """Return the rows of documents' gradients whose word a text holds: document, word, dot product; (P,) each."""
    place = torch.searchsorted(own.words, found.words).clamp(max=len(own.words) - 1)
    both = own.words[place] == found.words
    # The dot product of two gradients at a word vector that both texts read; other rows are zero.
    products = (own.vectors[place[both]] * found.vectors[both]).sum(dim=1).float()
    texts, words = (cast("NDArray[np.int64]", one[both].numpy()) for one in (found.texts, found.words))
    return texts, words, products.numpy()
