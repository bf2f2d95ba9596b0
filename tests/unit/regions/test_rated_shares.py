"""Which share of an n-gram's occurrences holds a part of a rating, counted by hand."""

from __future__ import annotations

import numpy as np

from nlpviz.analysis.inspection.split import Split, rated_shares
from nlpviz.text.ratings import in_ratings
from nlpviz.text.vocabulary import Vocabulary, tokenize

TEXTS = ("good 8 out of 10 .", "8 men went out of town .", "10 men . 7/10", "good")
WORDS = ["good", "8", "out", "of", "10", ".", "men", "went", "town", "7/10"]
VOCABULARY = Vocabulary(WORDS, [1] * len(WORDS))


def shares(*ngrams: str) -> list[float]:
    words = [[token.word for token in tokenize(text)] for text in TEXTS]
    rated = [in_ratings(text, tokenize(text)) for text in TEXTS]
    split = Split("abcd", np.arange(4) % 2, [VOCABULARY.ids(text) for text in words], rated)
    size = len(ngrams[0].split())
    keys = []
    for ngram in ngrams:
        key = 0
        for word in ngram.split():
            key = key * len(VOCABULARY) + VOCABULARY.id(word)
        keys.append(key)
    return rated_shares(split, np.array(keys), size, len(VOCABULARY)).tolist()


def test_of_single_words() -> None:
    assert shares("7/10", "8", "10", "men", "town") == [1, 0.5, 0.5, 0, 0]


def test_of_two_words_one_of_which_is_enough() -> None:
    assert shares("out of", "good 8", ". 7/10", "men went", "10 men") == [0.5, 1, 1, 0, 0]


def test_no_window_goes_from_one_text_into_the_next() -> None:
    assert shares(". 8", "7/10 good") == [0, 0], "they stand in no text"


def test_where_nobody_looked_for_ratings_there_are_none() -> None:
    split = Split("a", np.zeros(1, int), [np.array([2, 3])])
    assert rated_shares(split, np.array([2, 3]), 1, 12).tolist() == [0, 0]
    assert not len(rated_shares(split, np.zeros(0, dtype=np.int64), 1, 12))
