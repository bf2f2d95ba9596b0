"""Ratings: planted ones are found whole, what only looks like one is not, and masking leaves the rest as it was."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlpviz.text.ratings import MASK, in_ratings, masked, rating_spans
from nlpviz.text.vocabulary import tokenize

RATED = {
    "A great film. 7/10": ["7/10"],
    "it.8/10!": ["8/10"],
    "I'd say 4 / 10.": ["4 / 10"],
    "8.5/10 or 3,5/5 or 79/100": ["8.5/10", "3,5/5", "79/100"],
    "3.5/4 from me": ["3.5/4"],
    "8 out of 10!": ["8 out of 10"],
    "ten out of ten, 3 out of a possible 5": ["ten out of ten", "3 out of a possible 5"],
    "Out of 10 I give 7.": ["Out of 10", "7"],
    "a solid 7 of 10": ["7 of 10"],
    "*** 1/2": ["*** 1/2"],
    "( *1/2 )": ["*1/2"],
    "* * * *": ["* * * *"],
    "** out of ****": ["** out of ****"],
    "* out of *****": ["* out of *****"],
    "***1/2 from ****": ["***1/2 from ****"],
    "Three stars.": ["Three stars"],
    "10 stars, a one-star film": ["10 stars", "one-star"],
    "3 1/2 stars out of 5": ["3 1/2 stars out of 5"],
    "My vote is seven.": ["seven"],
    "Rating: 3": ["3"],
    "Grade: B+, grade: f": ["B+", "f"],
    "I give it a 7 because": ["a 7"],
    "gave this movie an 8.": ["an 8"],
    "it deserves a ten": ["a ten"],
    "gets a C- from me": ["a C-"],
}
NOT_RATED = (
    *["9/11", "24/7", "50/50", "1/2", "3/4 of the film", "1988/89", "on 4/28", "11/10", "12/10/1999", "110/10"],
    *["in 10 minutes", "10 years", "90%", "the 10 commandments", "one out of three", "walked out of the cinema"],
    *["the two stars of the film", "its three stars", "it stars Tom Hanks", "two stars of LAURA", "a star"],
    *["f**k this s***", "***SPOILERS***", "*** SPOILER ALERT ***", "** WARNING: spoilers ahead **", "a footnote *"],
    *["grade school", "a grade B movie", "rated R", "rated PG-13.", "give it a go.", "scored 10 goals", "got 5 Oscars"],
    *["two thumbs up", "gave 3 years of his life", "part 7", "", "se7en"],
)


@pytest.mark.parametrize("text", RATED)
def test_a_rating_is_found_whole(text: str) -> None:
    assert [text[start:end] for start, end in rating_spans(text)] == RATED[text]


@pytest.mark.parametrize("text", NOT_RATED)
def test_what_looks_like_a_rating_is_none(text: str) -> None:
    assert rating_spans(text) == []
    assert masked(text) == text


def test_masking_hides_each_word_of_a_rating_and_no_other() -> None:
    text = "Loved it , 8 out of 10 . My vote is <b>nine</b>."
    words = [token.word for token in tokenize(masked(text))]
    assert words == ["loved", "it", ",", *[MASK] * 4, ".", "my", "vote", "is", "nine", "."]
    assert in_ratings(text, tokenize(text)).tolist() == [word == MASK for word in words]


@given(st.text(alphabet="0179/10.* outfstarsgivea½\n<br>é😀", max_size=60) | st.text(max_size=40))
def test_masking_keeps_the_number_of_words_and_their_order(text: str) -> None:
    tokens = tokenize(text)
    inside = in_ratings(text, tokens)
    assert inside.shape == (len(tokens),)
    after = [token.word for token in tokenize(masked(text))]
    if MASK not in text and not any(token.word[0] in "!?." for token in tokens):  # marks may meet others of their kind
        expected = [MASK if hidden else token.word for token, hidden in zip(tokens, inside, strict=True)]
        assert len(after) >= len(expected) - int(np.sum(inside))
        assert [word for word in after if word != MASK] == [word for word in expected if word != MASK]
