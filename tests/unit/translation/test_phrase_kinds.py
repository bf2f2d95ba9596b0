"""Which phrases lie near each other, in words: a sentence that says no more than the cosines."""

from __future__ import annotations

from math import isnan

import numpy as np
import pytest

from nlpviz.results.phrases import PhrasePlane, kinds_of_pairs
from nlpviz.ui.translation.phrases import Phrases, kind_of_pair, words_or_meaning

CHASE = Phrases(
    ("A man chases a dog.", "A dog is chased by a man", "A dog chases a man!", "A man is chased by a dog", "A red cat"),
    (0, 0, 1, 1, 2),
)
WORDS = [("a", "b"), ("c",), ("a", "b"), ("c",), ("d",)]


def plane(of_group: float, of_words: float) -> PhrasePlane:
    """Return a plane of the phrases above, those of one group and those of the same words so near to each other."""
    cosines = np.full((5, 5), -0.5, dtype=np.float32)
    for one, other, value in ((0, 1, of_group), (2, 3, of_group), (0, 2, of_words), (1, 3, of_words)):
        cosines[one, other] = cosines[other, one] = value
    return PhrasePlane(np.zeros((5, 2), np.float32), 0.5, 9, (0, 2), of_words, cosines)


def test_means_by_hand() -> None:
    cosines = np.arange(25, dtype=np.float32).reshape(5, 5)
    kinds = kinds_of_pairs(cosines, CHASE.groups, WORDS)
    assert kinds.of_one_group == pytest.approx((1 + 13) / 2)
    assert kinds.of_same_words == pytest.approx((2 + 8) / 2)
    apart = kinds_of_pairs(cosines, (0, 1, 2, 3, 4), [(str(number),) for number in range(5)])
    assert isnan(apart.of_one_group)
    assert isnan(apart.of_same_words)


@pytest.mark.parametrize(
    ("of_group", "of_words", "said"),
    [
        (0.2, 0.98, "Phrases cluster by words more than by meaning: mean cosine 0.98 compared with 0.20."),
        (0.9, 0.1, "Phrases cluster by meaning more than by words: mean cosine 0.90 compared with 0.10."),
        (0.5, 0.502, "Phrases cluster by meaning and by words equally: mean cosine 0.50."),
    ],
)
def test_the_sentence_follows_the_numbers(of_group: float, of_words: float, said: str) -> None:
    sentence = words_or_meaning(plane(of_group, of_words), CHASE)
    assert sentence == said


def test_nothing_is_said_where_there_is_nothing_to_compare() -> None:
    alone = Phrases(CHASE.texts, (0, 1, 2, 3, 4))
    assert not words_or_meaning(plane(0.1, 0.2), alone)
    assert not words_or_meaning(plane(0.1, 0.2), Phrases(CHASE.texts, (0, 0, 0, 0, 0)))


def test_what_two_phrases_have_in_common() -> None:
    assert kind_of_pair(CHASE, 0, 1) == ", same group"
    assert kind_of_pair(CHASE, 0, 2) == ", same words in different groups", "marks are no words"
    assert kind_of_pair(CHASE, 0, 4) == ""
