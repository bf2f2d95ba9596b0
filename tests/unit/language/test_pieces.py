"""A text is cut into pieces, each about as long as what is read of it, for a search of units."""

from __future__ import annotations

import pytest

from nlpviz.language.logit_difference import READ
from nlpviz.run_kinds.language_survey import PIECES, pieces


@pytest.mark.parametrize(("letters", "each"), [(1, 4), (2, 8)])
def test_pieces_begin_where_a_line_does_and_are_as_long_as_what_is_read(letters: int, each: int) -> None:
    lines = [f"{number:0{READ // 4 - 1}}" for number in range(1, 19)]  # with its end, a line is a quarter of it
    whole = range(0, len(lines) - each + 1, each)
    assert pieces(lines, letters) == [(f"test/{at + 1}", "\n".join(lines[at : at + each])) for at in whole]


def test_a_short_text_is_one_piece() -> None:
    assert pieces(["a few", "words"], 1) == [("test/1", "a few\nwords")]
    assert pieces(["a" * (READ - 2)], 1) == [("test/1", "a" * (READ - 2))]


def test_of_many_pieces_some_are_taken_from_all_over_the_text() -> None:
    found = pieces(["a" * READ] * (2 * PIECES - 1), 1)
    assert [name for name, _ in found] == [f"test/{at}" for at in range(1, 2 * PIECES, 2)]
