"""Which single unit of a language model separates the labels best, and how well it does on texts that chose nothing.

Radford, Jozefowicz and Sutskever (2017), *Learning to Generate Reviews and Discovering Sentiment*, found one in a
network that had read 82 million reviews, by a logistic regression with an L1 penalty on all its units. Here each unit
alone, after the last word or in the mean over all, gets the threshold that is best on training texts; held-out texts
choose among the best of them, and test texts measure that one, once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlpviz.analysis.inspection.units_sample import columns_of, units_of
from nlpviz.results.sentiment_unit import READINGS, SentimentUnit
from nlpviz.runs import TrainedModel

_CHOSEN = 20  # candidates, by their accuracy on training texts, that held-out texts choose among
_AT_ONCE = 64  # texts

Say = Callable[[str], None]
Labelled = tuple[Sequence[str], NDArray[np.integer]]
"""Texts and their labels, 0 or 1."""


class Stump(NamedTuple):
    """A threshold for each of C columns.

    Attributes:
        thresholds: (C,).
        above: (C,), the label, 0 or 1, of what is above.
        accuracy: (C,), on the values that it was chosen for.
    """

    thresholds: NDArray[np.float32]
    above: NDArray[np.int64]
    accuracy: NDArray[np.float64]


def find(
    trained: TrainedModel, training: Labelled, validation: Labelled, test: Labelled, names: Sequence[str], say: Say
) -> SentimentUnit:
    """Return the unit.

    Args:
        trained: a network that reads word by word.
        training: texts that give each unit its threshold.
        validation: texts that choose the unit.
        test: texts that measure it.
        names: of the labels.
        say: called with a line of text about each step.
    """
    values, labels = read_off(trained, training[0], say), training[1]
    stumps = best_thresholds(values, labels)
    first = np.argsort(-stumps.accuracy, kind="stable")[:_CHOSEN]
    held_out = read_off(trained, validation[0], say)[:, first]
    above = held_out > stumps.thresholds[first]
    right = (np.where(above, stumps.above[first], 1 - stumps.above[first]) == validation[1][:, None]).mean(axis=0)
    chosen = int(first[np.argmax(right)])
    found = read_off(trained, test[0], say)[:, chosen] > stumps.thresholds[chosen]
    label = int(stumps.above[chosen])
    units = units_of(trained)
    reading, position = divmod(chosen, len(units))
    return SentimentUnit(
        run=trained.run.name,
        epoch=trained.epoch,
        unit=units[position],
        reading=list(READINGS)[reading],
        threshold=float(stumps.thresholds[chosen]),
        above=names[label],
        below=names[1 - label],
        searched=values.shape[1],
        training=len(labels),
        validation=len(validation[1]),
        validation_accuracy=float(right.max()),
        test=len(test[1]),
        right=int((np.where(found, label, 1 - label) == test[1]).sum()),
        longest=trained.run.max_length,
    )


def read_off(trained: TrainedModel, texts: Sequence[str], say: Say = lambda _: None) -> NDArray[np.float32]:
    """Return each text's features, (N, 2 * U): every unit after the last word, then its mean over all words."""
    import torch

    from nlpviz.networks.architectures import padded

    say(f"Reading {len(texts):,} texts")
    encoded = [trained.encode(text).row for text in texts]
    order = np.argsort([len(row) for row in encoded], kind="stable")
    count = len(units_of(trained))
    result = np.zeros((len(texts), 2 * count), dtype=np.float32)  # a text without words has no state of its own
    for first in range(0, len(order), _AT_ONCE):
        some = [position for position in order[first : first + _AT_ONCE] if len(encoded[position])]
        if not some:
            continue
        with torch.inference_mode():
            columns = columns_of(trained, padded([encoded[position] for position in some]))
        for position, values in zip(some, columns, strict=True):
            own = values[: len(encoded[position])]
            result[position, :count], result[position, count:] = own[-1], own.mean(axis=0)
    return result


def best_thresholds(values: NDArray[np.float32], labels: NDArray[np.integer]) -> Stump:
    """Return the threshold of each column of ``values`` (N, C) that best separates ``labels`` (N,), either way."""
    order = np.argsort(values, axis=0, kind="stable")
    ranked = np.take_along_axis(values, order, axis=0)  # (N, C)
    positive = np.cumsum(labels[order] == 1, axis=0)[:-1]  # of the values up to each
    below = np.arange(1, len(values))[:, None]
    right = (below - positive) + (int((labels == 1).sum()) - positive)  # where what is above counts as 1
    either = np.maximum(right, len(values) - right).astype(np.float64)
    either[ranked[1:] == ranked[:-1]] = -1  # no threshold lies between equal values
    place = either.argmax(axis=0)
    column = np.arange(values.shape[1])
    middle = (ranked[place, column] + ranked[place + 1, column]) / 2
    above = (2 * right[place, column] >= len(values)).astype(np.int64)
    return Stump(middle.astype(np.float32), above, either[place, column] / len(values))
