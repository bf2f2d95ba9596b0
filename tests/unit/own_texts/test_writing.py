"""Tables written for people: no cell is a formula."""

from __future__ import annotations

import io

import pytest

from nlpviz.data.own_texts.safe_csv import harmless, write_csv


@pytest.mark.parametrize("cell", ['=HYPERLINK("http://x")', "+1+cmd", "-2+3", "@SUM(A1)", "\t=1", "\r=1"])
def test_a_formula_is_shown_as_text(cell: str) -> None:
    assert harmless(cell) == f"'{cell}"


@pytest.mark.parametrize(("cell", "text"), [(-0.25, "-0.25"), ("+3", "+3"), ("-1e5", "-1e5"), ("a=b", "a=b"), ("", "")])
def test_numbers_and_other_texts_stay(cell: object, text: str) -> None:
    assert harmless(cell) == text


def test_header_and_cells_are_harmless() -> None:
    stream = io.StringIO()
    write_csv(stream, ["text", "=n"], [["=1", 2], ["a,b", -3]])
    assert stream.getvalue() == "text,'=n\n'=1,2\n\"a,b\",-3\n"
