"""Analogies by hand, against gensim, and in the plane; axes and similarities, by hand and against scipy."""

from __future__ import annotations

import math
import warnings
from itertools import pairwise

import numpy as np
import pytest
from scipy.cluster.hierarchy import leaves_list, linkage
from scipy.spatial.distance import pdist

from nlpviz.results.vectors import WordVectors
from nlpviz.word_vectors.analogies import EPSILON, METHODS, plane, solve
from nlpviz.word_vectors.axes import axes, axis
from nlpviz.word_vectors.expressions import ExpressionError, direction, parse
from nlpviz.word_vectors.lookup import UnknownWord
from nlpviz.word_vectors.similarity import matrix, similarity
from tests.words import toy_vectors


def by_hand() -> WordVectors:
    """Return words on the unit circle, at angles that are easy to reckon with."""
    angles = {"a": 0, "b": 60, "c": 90, "d": 150, "e": 200}
    points = [(math.cos(math.radians(angle)), math.sin(math.radians(angle))) for angle in angles.values()]
    return WordVectors.of("circle", list(angles), 2 * np.array(points, dtype=np.float32))


def cosine(first: float, second: float) -> float:
    return math.cos(math.radians(first - second))


# ------------------------------------------------------------------------------------------------------------ solve


@pytest.mark.parametrize("method", METHODS)
def test_planted_analogies_come_out(method: str) -> None:
    vectors = toy_vectors()
    for typed, expected in {
        "king - man + woman": "queen",
        "prince - boy + girl": "princess",
        "uncle - man + woman": "aunt",
        "man : king :: woman : ?": "queen",
    }.items():
        result = solve(vectors, parse(vectors, typed), method=method, expected=expected)
        assert (result.neighbours[0].word, result.rank, result.expected) == (expected, 1, expected)
        assert (result.method, result.excludes, result.source) == (method, True, "Toy words")
        assert len(result.neighbours) == 10


def test_3cosadd_is_the_cosine_with_the_sum_of_unit_vectors() -> None:
    vectors = by_hand()
    result = solve(vectors, parse(vectors, "b - a + c"), count=5)
    # b - a + c = (1/2 - 1, √3/2 + 1), at 105 degrees
    angle = math.degrees(math.atan2(3**0.5 / 2 + 1, -0.5))
    assert [one.word for one in result.neighbours] == ["d", "e"]
    assert [one.score for one in result.neighbours] == pytest.approx([cosine(150, angle), cosine(200, angle)], abs=1e-6)


def test_3cosmul_is_the_papers_quotient() -> None:
    vectors = by_hand()
    result = solve(vectors, parse(vectors, "b - a + c"), method="3CosMul", count=5)
    scores = {
        word: (1 + cosine(angle, 60)) / 2 * (1 + cosine(angle, 90)) / 2 / ((1 + cosine(angle, 0)) / 2 + EPSILON)
        for word, angle in {"d": 150, "e": 200}.items()
    }
    assert {one.word: one.score for one in result.neighbours} == pytest.approx(scores, rel=1e-4)


@pytest.mark.parametrize("typed", ["king - man + woman", "paris - france + italy + city", "good + great - bad - awful"])
def test_answers_are_gensims(typed: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from gensim.models import KeyedVectors
    vectors = toy_vectors()
    theirs = KeyedVectors(vectors.dimensions)
    theirs.add_vectors(list(vectors.words), vectors.directions * vectors.lengths[:, None])
    expression = parse(vectors, typed)
    plus, minus = ([term.word for term in expression.terms if term.sign == sign] for sign in (1, -1))
    expected = theirs.most_similar(positive=plus, negative=minus, topn=8)
    ours = solve(vectors, expression, count=8).neighbours
    assert [one.word for one in ours] == [word for word, _ in expected]
    assert [one.score for one in ours] == pytest.approx([score for _, score in expected], abs=1e-5)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it calls what it deprecates
        products = theirs.most_similar_cosmul(positive=plus, negative=minus, topn=8)  # its epsilon is 1e-6
    ours = solve(vectors, expression, method="3CosMul", count=8).neighbours
    assert [one.score for one in ours] == pytest.approx([score for _, score in products], rel=0.02)


def test_with_the_typed_words_among_the_answers_one_of_them_may_win() -> None:
    vectors = toy_vectors()
    expression = parse(vectors, "king - city + country")
    assert solve(vectors, expression, exclude=False).neighbours[0].word in ("king", "country")
    left_out = solve(vectors, expression, count=len(vectors)).neighbours
    assert {one.word for one in left_out} == set(vectors.words) - {"king", "city", "country"}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("exclude", [True, False])
def test_the_rank_of_an_expected_word_is_its_place_among_all(method: str, exclude: bool) -> None:
    vectors = toy_vectors()
    expression = parse(vectors, "paris - france + germany")
    everything = solve(vectors, expression, method=method, exclude=exclude, count=len(vectors)).neighbours
    for position, one in enumerate(everything, start=1):
        assert solve(vectors, expression, method=method, exclude=exclude, expected=one.word).rank == position
    assert (solve(vectors, expression, method=method, exclude=exclude, expected="paris").rank is None) is exclude


def test_equal_scores_rank_in_the_words_order() -> None:
    vectors = WordVectors.of("ties", ["a", "b", "c", "d"], np.array([[1, 0], [1, 1], [1, 1], [1, 1]], dtype=np.float32))
    expression = parse(vectors, "a")
    assert [solve(vectors, expression, expected=word).rank for word in "bcd"] == [1, 2, 3]


def test_answers_among_the_commonest_words_alone() -> None:
    vectors = toy_vectors()
    queen = vectors.positions["queen"]
    expression = parse(vectors, "king - man + woman")
    result = solve(vectors, expression, among=queen, expected="queen", count=50)
    assert result.rank is None
    assert all(one.position < queen for one in result.neighbours)
    assert solve(vectors, expression, among=queen + 1, expected="queen").rank == 1


def test_what_cannot_be_solved_is_refused() -> None:
    vectors = toy_vectors()
    expression = parse(vectors, "king - man")
    with pytest.raises(ValueError, match="choose from 3CosAdd, 3CosMul"):
        solve(vectors, expression, method="cosine")
    with pytest.raises(UnknownWord, match="did you mean queen"):
        solve(vectors, expression, expected="qeen")


# ------------------------------------------------------------------------------------------------------------ plane


def test_a_planted_parallelogram_lies_in_its_plane() -> None:
    corners = {"origin": (1, 1, 1), "right": (2, 1, 1), "up": (1, 3, 1), "both": (2, 3, 1), "far": (-9, -9, 5)}
    vectors = WordVectors.of("corners", list(corners), np.array(list(corners.values()), dtype=np.float32))
    solved = solve(vectors, parse(vectors, "right - origin + up"))
    drawn = plane(vectors, solved)
    assert drawn.words == ("right", "origin", "up", "both")
    assert drawn.signs == (1, -1, 1, 0)
    right, origin, up, answer = drawn.coordinates
    assert drawn.target == pytest.approx(right - origin + up, abs=1e-6)  # the fourth corner
    # distances in the plane are those in space but for what the plane leaves out
    points = np.array([vectors.directions[vectors.positions[word]] for word in drawn.words], dtype=np.float64)
    inside = sum(((drawn.coordinates - drawn.coordinates.mean(axis=0)) ** 2).sum(axis=1))
    total = ((points - points.mean(axis=0)) ** 2).sum()
    assert drawn.share == pytest.approx(inside / total)
    assert 0.9 < drawn.share <= 1
    assert np.linalg.norm(answer - drawn.target) < np.linalg.norm(origin - drawn.target)


def test_the_plane_is_that_of_scikit_learns_components() -> None:
    from sklearn.decomposition import PCA

    vectors = toy_vectors()
    drawn = plane(vectors, solve(vectors, parse(vectors, "king - man + woman")))
    points = vectors.directions[[vectors.positions[word] for word in drawn.words]]
    fitted = PCA(2).fit(points)
    assert np.abs(drawn.coordinates) == pytest.approx(np.abs(fitted.transform(points)), abs=1e-5)
    assert drawn.share == pytest.approx(fitted.explained_variance_ratio_.sum(), abs=1e-5)


@pytest.mark.parametrize("typed", ["king", "king + queen", "- king - queen", "king + king - man"])
def test_any_expression_has_a_plane(typed: str) -> None:
    vectors = toy_vectors()
    drawn = plane(vectors, solve(vectors, parse(vectors, typed)))
    assert drawn.coordinates.shape == (len(drawn.words), 2)
    assert np.isfinite(drawn.coordinates).all()
    assert np.isfinite(drawn.target).all()
    assert 0 <= drawn.share <= 1
    assert len(set(drawn.words)) == len(drawn.words)


# ---------------------------------------------------------------------------------------------- similarity and axes


def test_similarity_is_the_cosine() -> None:
    vectors = by_hand()
    assert similarity(vectors, "A", "b") == pytest.approx(0.5)
    assert similarity(vectors, "c", "c") == pytest.approx(1)
    with pytest.raises(UnknownWord):
        similarity(vectors, "a", "nothing")


def test_a_matrix_is_ordered_by_scipys_clustering() -> None:
    vectors = toy_vectors()
    words = ["king", "paris", "good", "berlin", "queen", "bad", "rome"]
    result = matrix(vectors, [*words, "King"])
    assert sorted(result.words) == sorted(words)
    for first, second in pairwise(words):
        cell = result.cosines[result.words.index(first), result.words.index(second)]
        assert cell == pytest.approx(similarity(vectors, first, second), abs=1e-6)
    rows = vectors.directions[[vectors.positions[word] for word in words]].astype(np.float64)
    order = leaves_list(linkage(pdist(rows, "cosine"), "average", optimal_ordering=True))
    assert [words[position] for position in order] in (list(result.words), list(result.words[::-1]))
    assert abs(result.words.index("good") - result.words.index("bad")) == 1


@pytest.mark.parametrize("words", [[], ["king"], ["king", "man"]])
def test_a_small_matrix_needs_no_clustering(words: list[str]) -> None:
    result = matrix(toy_vectors(), words)
    assert result.words == tuple(words)
    assert np.diag(result.cosines) == pytest.approx(np.ones(len(words)))


def test_a_matrix_of_many_words_is_there_in_time() -> None:
    rng = np.random.default_rng(0)
    vectors = WordVectors.of("many", [str(n) for n in range(1_000)], rng.normal(size=(1_000, 20)).astype(np.float32))
    assert sorted(matrix(vectors, vectors.words).words) == sorted(vectors.words)


def test_axes_are_poles_or_expressions() -> None:
    vectors = by_hand()
    result = axes(vectors, ["a", "c", "d", "a"], "a | e", "b - a")
    pole = vectors.directions[0] - vectors.directions[4]
    assert result.x == pytest.approx(vectors.directions[[0, 2, 3]] @ pole / np.linalg.norm(pole), abs=1e-6)
    assert result.y == pytest.approx(vectors.directions[[0, 2, 3]] @ direction(vectors, parse(vectors, "b - a")))
    assert (result.words, result.names) == (("a", "c", "d"), ("a | e", "b - a"))


def test_a_pole_of_several_words_is_their_mean() -> None:
    vectors = by_hand()
    expected = vectors.directions[[0, 1]].mean(axis=0) - vectors.directions[[3, 4]].mean(axis=0)
    assert axis(vectors, " a, b |d,e ") == pytest.approx(expected / np.linalg.norm(expected), abs=1e-6)
    both = vectors.directions[[0, 1]].mean(axis=0)
    assert axis(vectors, "a, b") == pytest.approx(both / np.linalg.norm(both), abs=1e-6)


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("", "Type words with"),
        ("|", "A pole is empty"),
        ("a |", "A pole is empty"),
        ("a | b | c", "two poles"),
        ("a, b | b, a", "poles are identical"),
        ("a, nothing | b", "'nothing' is not among"),
        ("a - a", "cancels out"),
        ("a," * 501, "at most 1,000 characters"),
        ("a," * 60 + "| b", "at most 50 words"),
    ],
)
def test_an_axis_that_says_nothing_is_refused(typed: str, sentence: str) -> None:
    with pytest.raises(ExpressionError, match=sentence):
        axis(by_hand(), typed)
