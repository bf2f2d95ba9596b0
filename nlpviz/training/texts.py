"""Labelled texts of a corpus, as a classifier's recipe reads them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from nlpviz.data import corpus_named
from nlpviz.training import TrainingError
from nlpviz.vocabulary import Vocabulary, tokenize


@runtime_checkable
class LabelledTexts(Protocol):
    """A split of a corpus for classification: ids, stars (0: none), class indices and texts, column by column."""

    ids: Sequence[str]
    ratings: NDArray[np.int8]
    labels: NDArray[np.int8]
    texts: Sequence[str]


def labelled_texts(corpus: str, split: str) -> LabelledTexts:
    """Return a split of the corpus called ``corpus``.

    Raises:
        TrainingError: if its records have no labels.
        DataError: if there is no such corpus, or it is not on this machine or damaged.
    """
    records = corpus_named(corpus).read(split)
    if not isinstance(records, LabelledTexts):
        raise TrainingError(f"The corpus {corpus!r} has no labelled texts to train a classifier on.")
    return records


def words_of(texts: Sequence[str]) -> list[list[str]]:
    """Return the words of each text, in the vocabulary's spelling."""
    return [[token.word for token in tokenize(text)] for text in texts]


def encoded(vocabulary: Vocabulary, texts: Sequence[str]) -> list[NDArray[np.int64]]:
    """Return the ids of each whole text."""
    return [vocabulary.ids(token.word for token in tokenize(text)) for text in texts]
