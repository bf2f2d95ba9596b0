"""The data of a language model: one text for each split, as tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlpviz.data import Corpus, corpus_named
from nlpviz.data.columns import LabelledTexts
from nlpviz.data.streams import TextStream
from nlpviz.text.tokenizers import EOS, Tokenizer
from nlpviz.training import TrainingError
from nlpviz.training.bounds import portion
from nlpviz.training.texts import labelled_texts

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

    Of labelled texts, such as reviews, each is ended as a line is. Those of the training split but for its last ones,
    which are held out, and those without a label are read in a fixed random order.

    Raises:
        TrainingError: if the corpus has no text for a language model.
        DataError: if there is no such corpus, or it is not on this machine or damaged.
    """
    known = corpus_named(corpus)
    if is_labelled(known):
        return _reviews(corpus, split, tokenizer)
    records = known.read(split)
    if not isinstance(records, TextStream):
        raise TrainingError(f"The corpus {corpus!r} has no running text to train a language model on.")
    tokens = records.tokens(tokenizer)
    read = portion(len(tokens))
    return Stream(tokens[:read], round(len(records) * read / max(len(tokens), 1)))


def what_is_read(corpus: Corpus) -> str:
    """Return in a sentence which labelled texts are held out and tested on; nothing where a split is one text."""
    if not is_labelled(corpus):
        return ""
    counts = {split: len(_texts(corpus.name, split)) for split in EVERY}
    return (
        f"The test text consists of every {EVERY['test']}th text in the test split ({counts['test']:,} texts), and the "
        f"validation text of every {EVERY['validation']}th held-out training text ({counts['validation']:,} texts). "
        "Texts are concatenated, with an `<eos>` after each."
    )


def is_labelled(corpus: Corpus, split: str = "test") -> bool:
    """Return whether a split of a corpus has many texts, each with its label, rather than one running text."""
    return isinstance(corpus.read(split), LabelledTexts)


def _reviews(corpus: str, split: str, tokenizer: Tokenizer) -> Stream:
    texts = _texts(corpus, split)
    tokens = [word for text in texts for word in (*(token.word for token in tokenizer.tokens(text)), EOS)]
    return Stream(tokens, sum(map(len, texts)) + len(texts))


def _texts(corpus: str, split: str) -> list[str]:
    labelled = labelled_texts(corpus, "test" if split == "test" else "train")
    unlabelled = labelled_texts(corpus, "unsupervised").texts if split == "train" else ()
    texts = [*labelled.texts, *unlabelled]
    return [texts[place] for place in places_read(labelled.labels, split, len(unlabelled))]


def places_read(labels: NDArray[np.int8], split: str, unlabelled: int) -> NDArray[np.int64]:
    """Return which texts a language model reads of a split, in its order; ``unlabelled`` ones count after labelled."""
    places = places_of(labels, split)[:: EVERY.get(split, 1)]
    if split != "train":
        return places
    every = np.append(places, len(labels) + np.arange(unlabelled))
    return every[np.random.default_rng(0).permutation(len(every))]


def places_of(labels: NDArray[np.int8], split: str) -> NDArray[np.int64]:
    """Return which labelled texts a split has: the last ones of each label are held out, with a gap before them."""
    if split == "test":
        return np.arange(len(labels))
    of_label = [np.flatnonzero(labels == label) for label in np.unique(labels)]
    held_out, gap = portion(HELD_OUT), portion(GAP)
    if split == "validation":
        return np.concatenate([places[-held_out:] for places in of_label])
    return np.concatenate([places[: -held_out - gap] for places in of_label])
