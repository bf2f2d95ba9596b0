"""What a language model learns from: one text for each split, as tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlpviz.data import corpus_named
from nlpviz.data.streams import TextStream
from nlpviz.text.tokenizers import EOS, Tokenizer
from nlpviz.training import TrainingError
from nlpviz.training.bounds import portion, some
from nlpviz.training.texts import LabelledTexts

GAP = 30
"""Reviews of each label between those that are read and those held out, as for classifiers: neighbours share a film."""
HELD_OUT = 1_250
"""Reviews of each label that are held out, at the end."""
EVERY = {"validation": 5, "test": 10}
"""Of held-out and of test reviews every so manieth is read: 500 and 2,500."""


class Stream(NamedTuple):
    """One split: its tokens, and how many characters they stand for."""

    tokens: Sequence[str]
    characters: int


def stream(corpus: str, split: str, tokenizer: Tokenizer) -> Stream:
    """Return ``"train"``, ``"validation"`` or ``"test"`` of a corpus as one text, or its beginning in a rehearsal.

    Of reviews, each is ended as a line is. Those of the training split but for its last ones, which are held out, and
    those without a label are read in a fixed random order.

    Raises:
        TrainingError: if the corpus has no text for a language model.
        DataError: if there is no such corpus, or it is not on this machine or damaged.
    """
    if corpus == "imdb":
        return _reviews(corpus, split, tokenizer)
    records = corpus_named(corpus).read(split)
    if not isinstance(records, TextStream):
        raise TrainingError(f"The corpus {corpus!r} has no running text to train a language model on.")
    tokens = records.tokens(tokenizer)
    read = portion(len(tokens))
    return Stream(tokens[:read], round(len(records) * read / max(len(tokens), 1)))


def _reviews(corpus: str, split: str, tokenizer: Tokenizer) -> Stream:
    labelled = corpus_named(corpus).read("test" if split == "test" else "train")
    assert isinstance(labelled, LabelledTexts)
    texts = [labelled.texts[place] for place in places_of(labelled.labels, split)[:: EVERY.get(split, 1)]]
    if split == "train":
        texts += list(corpus_named(corpus).read("unsupervised").texts)  # type: ignore[attr-defined]
        texts = [texts[place] for place in np.random.default_rng(0).permutation(len(texts))]
    positions = some(len(texts))
    if not isinstance(positions, slice):
        texts = [texts[place] for place in positions]
    tokens = [word for text in texts for word in (*(token.word for token in tokenizer.tokens(text)), EOS)]
    return Stream(tokens, sum(map(len, texts)) + len(texts))


def places_of(labels: NDArray[np.int8], split: str) -> NDArray[np.int64]:
    """Return which labelled reviews a split has: the last ones of each label are held out, with a gap before them."""
    if split == "test":
        return np.arange(len(labels))
    of_label = [np.flatnonzero(labels == label) for label in (0, 1)]
    if split == "validation":
        return np.concatenate([places[-HELD_OUT:] for places in of_label])
    return np.concatenate([places[: -HELD_OUT - GAP] for places in of_label])
