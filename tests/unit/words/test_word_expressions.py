"""Expressions as people type them, and each way in which one says nothing."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlpviz.results.vectors import WordVectors
from nlpviz.word_vectors.expressions import LONGEST, MOST_TERMS, ExpressionError, direction, expected, parse
from tests.words import toy_vectors


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("king - man + woman", "king - man + woman"),
        ("King-Man+Woman", "king - man + woman"),
        ("king −man +woman", "king - man + woman"),
        ("king – man + woman", "king - man + woman"),
        ("+ king - man", "king - man"),
        ("-man + king", "- man + king"),
        ("king", "king"),
        ("king + king - man", "king + king - man"),
        ("new york + film", "new_york + film"),
        ("film + new york - city", "film + new_york - city"),
        ("well-known - good", "well-known - good"),
        ("good+well-known-bad", "good + well-known - bad"),
        ("don’t + 1984", "don't + 1984"),
        ("man : king :: woman : ?", "king - man + woman"),
        ("man:king::woman:", "king - man + woman"),
        ("man:king::woman", "king - man + woman"),
        ("man : king :: woman : queen", "king - man + woman"),
        ("new york : city :: france : ?", "city - new_york + france"),
        ("\tking\n-\n man ", "king - man"),
    ],
)
def test_what_people_type_is_a_signed_sum(typed: str, said: str) -> None:
    assert str(parse(toy_vectors(), typed)) == said


def test_a_sign_before_a_word_is_a_sign_though_both_together_are_known() -> None:
    vectors = WordVectors.of("x", ["king", "man", "-man"], np.eye(3, dtype=np.float32))
    assert str(parse(vectors, "king -man")) == "king - man"
    assert str(parse(vectors, "king-man")) == "king - man"


def test_terms_keep_what_was_typed() -> None:
    first, second = parse(toy_vectors(), "KING - New York").terms
    assert (first.sign, first.word, first.typed) == (1, "king", "KING")
    assert (second.sign, second.word, second.typed) == (-1, "new_york", "New York")


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("", "Type words with"),
        (" \n", "Type words with"),
        ("+", "ends with a sign"),
        ("+ - +", "two consecutive signs"),
        ("king -", "ends with a sign"),
        ("king - - man", "two consecutive signs"),
        ("king - king", "'king' cancels out"),
        ("king - man + queen - KING", "'king' cancels out"),
        ("2 king", "Repeat 'king' instead"),
        ("king + 2*man", "Repeat 'man' instead"),
        ("3x king", "Repeat 'king' instead"),
        ("king queen", "phrase 'king queen' is not in the vocabulary. Put . or - between its words"),
        ("king - 7", "'7' is not among"),
        ("qeen + king", "did you mean queen"),
        ("<script>alert(1)</script>", "'<script>alert.1.</script>' is not among"),
        ("man : king :: womann : ?", "did you mean woman"),
        ("king" * (LONGEST // 4 + 1), "at most 1,000 characters, not 1,004"),
        ("king +" * (LONGEST // 6) + "king", "at most 1,000 characters|at most 50 words"),
        (" + ".join(["king"] * (MOST_TERMS + 1)), "at most 50 words"),
        ("the " * 250, "Put . or - between its words"),
    ],
)
def test_what_says_nothing_is_refused_in_one_sentence(typed: str, sentence: str) -> None:
    with pytest.raises(ExpressionError, match=sentence) as raised:
        parse(toy_vectors(), typed)
    message = str(raised.value)
    assert "\n" not in message
    assert len(message) < 250
    assert message.endswith((".", "?"))


def test_an_unknown_word_comes_with_its_spellings() -> None:
    with pytest.raises(ExpressionError) as raised:
        parse(toy_vectors(), "king - mann")
    assert raised.value.unknown is not None
    assert (raised.value.unknown.typed, raised.value.unknown.spellings[0]) == ("mann", "man")


def test_as_many_words_as_allowed_are_parsed() -> None:
    assert len(parse(toy_vectors(), " + ".join(["king"] * MOST_TERMS)).terms) == MOST_TERMS


@given(st.text(max_size=60) | st.text("king mauen+-−:? 12*", max_size=60))
def test_any_text_is_an_expression_or_a_sentence(typed: str) -> None:
    vectors = toy_vectors()
    try:
        said = str(parse(vectors, typed))
    except ExpressionError as error:
        said = str(error)
    else:
        assert str(parse(vectors, said)) == said
    assert said
    assert "\n" not in said


def test_direction_is_the_sum_of_unit_vectors() -> None:
    vectors = WordVectors.of(
        "by hand", ["east", "north", "west"], np.array([[5, 0], [0, 2], [-3, 0]], dtype=np.float32)
    )
    assert direction(vectors, parse(vectors, "east + north")).tolist() == pytest.approx([0.5**0.5, 0.5**0.5])
    assert direction(vectors, parse(vectors, "east + east + north")) @ [1, 0] == pytest.approx(2 / 5**0.5)
    with pytest.raises(ExpressionError, match="no direction remains"):
        direction(vectors, parse(vectors, "east + west"))


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("man : king :: woman : queen", "queen"),
        ("man : king :: woman : ?", ""),
        ("man:king::woman", ""),
        ("king - man", ""),
    ],
)
def test_the_answer_that_a_proportion_names(typed: str, answer: str) -> None:
    assert expected(typed) == answer


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("king - man + woman", "man : king :: woman"),
        ("man : king :: woman", "man : king :: woman"),
        ("king - man", "king - man"),
        ("- man + king + woman", "- man + king + woman"),
    ],
)
def test_an_analogy_reads_as_a_proportion(typed: str, read: str) -> None:
    assert parse(toy_vectors(), typed).proportion == read
