"""How many nonsensical edits pass the fluency filter: random edits of reviews, scored by a language model."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nlpviz.analysis.attribution import fluency
from nlpviz.analysis.attribution.edit_candidates import columns_of, is_word, near_words
from nlpviz.analysis.attribution.first_order import word_table
from nlpviz.data import corpus_named
from nlpviz.language.surprisal import Asked
from nlpviz.results.edits import ANY, DELETE, NEAR
from nlpviz.runs import TrainedModel

LAST, REVIEWS, PLACES, SEED = 600, 30, 10, 0
"""Of each class the last training reviews, so many drawn of them, so many places in each."""
_WORDS = 300  # of a review


def added_at_random(
    trained: TrainedModel, asked: Asked, report: Callable[[float], object] = lambda _: None
) -> dict[str, NDArray[np.float64]]:
    """Return the bits that random edits of training reviews add, by what a word becomes, each (N,).

    A word becomes one that is drawn by its frequency, one that is drawn from those near it, or nothing.

    Raises:
        DataError: if the corpus of the run is not on this machine.
    """
    draw, vocabulary, table = np.random.default_rng(SEED), trained.vocabulary, word_table(trained)
    columns = columns_of(vocabulary, (ANY,), set(asked.vocabulary.words))
    shares = vocabulary.counts[columns] / vocabulary.counts[columns].sum()
    reviews: Any = corpus_named(trained.run.corpus["name"]).read("train")
    texts = [
        reviews.texts[at]
        for label in range(len(trained.run.class_names))
        for at in draw.choice(np.flatnonzero(np.asarray(reviews.labels) == label)[-LAST:], REVIEWS, replace=False)
    ]
    bits: dict[str, list[NDArray[np.float64]]] = {ANY: [], NEAR: [], DELETE: []}
    for number, text in enumerate(texts):
        encoded = trained.encode(text)
        words = [token.word for token in encoded.read[:_WORDS]]
        places = np.array([at for at, word in enumerate(words) if is_word(word)])
        places = draw.choice(places, min(PLACES, len(places)), replace=False)
        near = near_words(table, encoded.ids[places], columns)
        edits = {
            ANY: [(int(at), int(draw.choice(columns, p=shares))) for at in places],
            NEAR: [
                (int(at), int(draw.choice(columns[row]))) for at, row in zip(places, near, strict=True) if row.any()
            ],
        }
        named = {way: [(at, vocabulary.words[word]) for at, word in some] for way, some in edits.items()}
        mean = fluency.read(asked, text).mean
        for way, some in (named | {DELETE: [(int(at), "") for at in places]}).items():
            bits[way].append(fluency.in_windows(asked, words, some, mean))
        report((number + 1) / len(texts))
    return {way: np.concatenate(found) for way, found in bits.items()}
