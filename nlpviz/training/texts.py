"""Labelled texts of a corpus, as a classifier's recipe reads them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from nlpviz.data import corpus_named
from nlpviz.data.columns import LabelledTexts
from nlpviz.text.sentences import with_sentences
from nlpviz.text.vocabulary import Vocabulary
from nlpviz.training import TrainingError
from nlpviz.training.bounds import some


@runtime_checkable
class SaysHeldOut(Protocol):
    """A split of which it is said which texts are for validation."""

    held_out: NDArray[np.bool_]


def labelled_texts(corpus: str, split: str) -> LabelledTexts:
    """Return a split of the corpus called ``corpus``, or some texts of it in a rehearsal.

    Raises:
        TrainingError: if its records have no labels.
        DataError: if there is no such corpus, or it is not on this machine or damaged.
    """
    records = corpus_named(corpus).read(split)
    if not isinstance(records, LabelledTexts):
        raise TrainingError(f"The corpus {corpus!r} has no labelled texts to train a classifier on.")
    positions = some(len(records.texts))
    if isinstance(positions, slice):
        return records
    ids, texts = ([column[position] for position in positions] for column in (records.ids, records.texts))
    return LabelledTexts(ids, records.ratings[positions], records.labels[positions], texts)


def encoded(vocabulary: Vocabulary, texts: Sequence[str], *, sentences: bool = False) -> list[NDArray[np.int64]]:
    """Return what a model takes of each whole text: its ids, with the numbers of its sentences or without."""
    whole = (vocabulary.encode(text, len(text)) for text in texts)  # no text has more tokens than signs
    return [(with_sentences(text) if sentences else text).row for text in whole]
