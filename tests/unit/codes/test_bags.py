"""Bags of words: which words belong, how they are counted, how they are halved."""

from __future__ import annotations

import numpy as np

from nlpviz.text.bags import bag_vocabulary, bags_of, belongs, halves, known_ids, stop_words
from nlpviz.text.vocabulary import Vocabulary
from nlpviz.training.arrays import rows_as_arrays
from nlpviz.training.bags import training_bags


def test_only_words_that_speak_of_a_subject_belong() -> None:
    assert [word for word in ("the", "goal", "of", "ox", "3.5", "don't", "god", "...") if belongs(word)] == [
        "goal",
        "god",
    ]
    assert {"the", "and", "whereafter"} <= stop_words()
    assert all(len(word) > 2 and word.isalpha() for word in stop_words())


def test_vocabulary_is_of_the_commonest_words_that_belong() -> None:
    words = bag_vocabulary({"the": 4, "once": 2, "team": 2, "goal": 3, "last": 1}, 2)
    assert words.words[2:] == ("goal", "team")
    assert words.counts.tolist() == [0, 0, 3, 2]


def test_bags_count_known_words_alone() -> None:
    rows = [np.array([2, 1, 2, 4]), np.array([1, 0]), np.array([], dtype=np.int64)]
    assert bags_of(rows, 5).tolist() == [[2, 0, 1], [0, 0, 0], [0, 0, 0]]
    assert known_ids(rows[0]).tolist() == [2, 2, 4]


def test_documents_that_the_corpus_holds_out_choose_the_epoch() -> None:
    rows = [np.array(row) for row in ([2], [3, 3], [0], [2, 3], [1])]
    arrays = {**rows_as_arrays("ids", rows), "labels": np.zeros(5), "held_out": np.array([0, 1, 0, 0, 1])}
    train, chosen = training_bags(arrays, Vocabulary(["goal", "team"], [2, 1]), 1, 2)
    assert train.tolist() == [[1, 0], [1, 1]]
    assert chosen.tolist() == [[0, 2]]


def test_halves_are_the_bag_and_differ_by_a_word_at_most() -> None:
    bag = np.array([3, 0, 2, 6])
    first, second = halves(bag, np.random.default_rng(0))
    assert (first + second).tolist() == bag.tolist()
    assert first.sum() - second.sum() == 1
