"""The documents of a corpus as bags of words: the same words and splits for autoencoders and topic models."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlpviz.runs import Run
from nlpviz.runs.documents import documents_of
from nlpviz.text.bags import bag_vocabulary, bags_of, known_ids
from nlpviz.text.vocabulary import Vocabulary
from nlpviz.training.arrays import Arrays, rows_as_arrays, rows_of, vocabulary_as_arrays
from nlpviz.training.codes_fit import Bags
from nlpviz.training.held_out import held_out
from nlpviz.training.sources import LabelledSource
from nlpviz.training.texts import encoded, labelled_texts


class BagSplit(NamedTuple):
    """The documents of a split that have a word of the vocabulary, N of them.

    Attributes:
        ids: how the corpus calls them.
        labels: int8 (N,), class indices.
        ratings: int8 (N,), stars; 0 for none.
        bags: uint16 (N, W).
        empty: how many other documents have no such word, and are left out.
    """

    ids: Sequence[str]
    labels: NDArray[np.int8]
    ratings: NDArray[np.int8]
    bags: NDArray[np.uint16]
    empty: int


def encode_bags(train: LabelledSource, words: int, max_length: int) -> Arrays:
    """Return training documents as ids of words that belong into bags, with these words and labels.

    Args:
        train: the documents.
        words: of the vocabulary, the commonest ones that belong into bags.
        max_length: tokens that are read of a document, those counted that are in no bag.
    """
    texts = train.texts.cut(max_length)
    vocabulary = bag_vocabulary(texts.counts, words)
    ids = np.split(texts.ids_in(vocabulary), texts.ends[:-1]) if len(texts.lengths) else []
    arrays = {
        **vocabulary_as_arrays("vocabulary", vocabulary),
        **rows_as_arrays("ids", [known_ids(row) for row in ids]),
        "labels": train.labels,
    }
    return arrays | ({} if train.held_out is None else {"held_out": train.held_out})


def training_bags(arrays: Arrays, vocabulary: Vocabulary, classes: int, validation: int) -> Bags:
    """Return the documents to train on and those to choose on, without those that have no word of the vocabulary."""
    bags = bags_of(rows_of(arrays, "ids"), len(vocabulary))
    if "held_out" in arrays:
        parts = [np.flatnonzero(arrays["held_out"] == held) for held in (0, 1)]
    else:
        parts = list(held_out(arrays["labels"], classes, validation))
    train, chosen = (bags[part][bags[part].any(axis=1)] for part in parts)
    return Bags(train, chosen)


def read_split(run: Run, split: str = "test") -> BagSplit:
    """Return a split of a run's corpus as bags over the run's own vocabulary."""
    texts = labelled_texts(run.corpus["name"], split)
    rows = [ids[: run.max_length] for ids in encoded(run.vocabulary, texts.texts)]
    bags = bags_of(rows, len(run.vocabulary))
    kept = np.flatnonzero(bags.any(axis=1))
    return BagSplit(
        [texts.ids[position] for position in kept.tolist()],
        texts.labels[kept],
        texts.ratings[kept],
        bags[kept],
        len(bags) - len(kept),
    )


def kept_bags(run: Run) -> NDArray[np.uint16]:
    """Return the bags of the test documents whose codes a run keeps, in their order."""
    test = read_split(run)
    rows = {identifier: row for row, identifier in enumerate(test.ids)}
    return test.bags[[rows[identifier] for identifier in documents_of(run).ids]]
