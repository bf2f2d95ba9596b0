"""Neighbours against all cosines sorted and against gensim; the largest numbers against a full sort."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from nlpviz.results.vectors import WordVectors
from nlpviz.word_vectors.lookup import UnknownWord
from nlpviz.word_vectors.neighbours import nearest, neighbours
from nlpviz.word_vectors.selection import largest
from tests.words import toy_vectors


def random_vectors(words: int = 3_000, dimensions: int = 20) -> WordVectors:
    """Return vectors without any structure."""
    rng = np.random.default_rng(1)
    spelt = [f"w{position}" for position in range(words)]
    return WordVectors.of("random", spelt, rng.normal(size=(words, dimensions)).astype(np.float32))


@given(arrays(np.float32, st.integers(0, 400), elements=st.integers(-9, 9)), st.integers(0, 30))
def test_the_largest_are_those_of_a_stable_sort(scores: np.ndarray, count: int) -> None:
    assert largest(scores, count).tolist() == np.argsort(-scores, kind="stable")[:count].tolist()


def test_the_largest_of_many_numbers_with_equal_ones() -> None:
    scores = np.random.default_rng(0).integers(0, 50, size=68_000).astype(np.float32)
    assert largest(scores, 10).tolist() == np.argsort(-scores, kind="stable")[:10].tolist()


def test_neighbours_by_hand() -> None:
    vectors = WordVectors.of(
        "by hand", ["east", "north", "northeast", "west"], np.array([[2, 0], [0, 1], [3, 3], [-1, 0]], dtype=np.float32)
    )
    result = neighbours(vectors, "East")
    assert (result.word, result.position, result.count, result.source) == ("east", 0, None, "by hand")
    assert [one.word for one in result.neighbours] == ["northeast", "north", "west"]
    assert [one.score for one in result.neighbours] == pytest.approx([0.5**0.5, 0, -1], abs=1e-6)


def test_planted_neighbours_with_their_counts() -> None:
    vectors = toy_vectors()
    result = neighbours(vectors, "paris", 3)
    assert {one.word for one in result.neighbours} <= {"berlin", "rome", "madrid", "city", "france"}
    assert vectors.counts is not None
    assert all(
        one.count == vectors.counts[one.position] and vectors.words[one.position] == one.word
        for one in result.neighbours
    )
    assert result.count == vectors.counts[result.position]


def test_neighbours_are_gensims() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from gensim.models import KeyedVectors
    vectors = random_vectors()
    theirs = KeyedVectors(vectors.dimensions)
    theirs.add_vectors(list(vectors.words), vectors.directions * vectors.lengths[:, None])
    for word in ("w0", "w17", "w2999"):
        result = neighbours(vectors, word, 25).neighbours
        expected = theirs.most_similar(word, topn=25)
        assert [one.word for one in result] == [word for word, _ in expected]
        assert [one.score for one in result] == pytest.approx([score for _, score in expected], abs=1e-5)


@pytest.mark.parametrize("band", [range(10), range(100, 1_000), range(2_990, 10_000), range(5_000, 6_000), range(0)])
def test_a_frequency_band_holds_all_answers(band: range) -> None:
    vectors = random_vectors()
    cosines = vectors.directions @ vectors.directions[5]
    expected = sorted(
        (position for position in band if position < len(vectors) and position != 5),
        key=lambda position: -float(cosines[position]),
    )
    assert [one.position for one in neighbours(vectors, "w5", 8, among=band).neighbours] == expected[:8]


def test_many_directions_are_answered_like_each_alone() -> None:
    vectors = random_vectors()
    asked = vectors.directions[:150]
    together = nearest(vectors, asked, 5, [{position, position + 1} for position in range(150)])
    for position, result in enumerate(together):
        (alone,) = nearest(vectors, asked[position : position + 1], 5, [{position, position + 1}])
        assert [one.position for one in result] == [one.position for one in alone]
        assert not {position, position + 1} & {one.position for one in result}
    assert nearest(vectors, asked[:1], 1)[0][0].position == 0  # nothing left out: a word is nearest to itself


def test_a_zero_vector_has_no_neighbours_and_is_last() -> None:
    vectors = WordVectors.of("zero", ["a", "b", "c"], np.array([[1, 0], [0, 0], [1, 1]], dtype=np.float32))
    assert neighbours(vectors, "b").neighbours == ()
    assert [one.word for one in neighbours(vectors, "a").neighbours] == ["c", "b"]


def test_more_neighbours_than_words_are_all_others() -> None:
    assert len(neighbours(toy_vectors(), "king", 1_000).neighbours) == len(toy_vectors()) - 1


def test_an_unknown_word_is_refused() -> None:
    with pytest.raises(UnknownWord, match="did you mean queen"):
        neighbours(toy_vectors(), "qeen")
