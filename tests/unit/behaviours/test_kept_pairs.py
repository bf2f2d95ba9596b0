"""Pairs that a visitor kept: the file is the one that is read, and a long review gives the sentences that differ."""

from __future__ import annotations

from pathlib import Path

from nlpviz.data.own_texts import Source
from nlpviz.data.own_texts.minimal_pairs import LONGEST, UNNAMED, read_minimal_pairs, round_difference, written
from nlpviz.results.minimal_pairs import MinimalPair

PAIRS = [
    MinimalPair(UNNAMED, UNNAMED, 'A "good" film, really.', "A bad\tfilm; <br />", "positive/negative"),
    MinimalPair(UNNAMED, UNNAMED, "=1+1 is fun", "ein schöner Film 👩‍🚀", "same"),
]


def test_the_file_is_read_back(tmp_path: Path) -> None:
    (tmp_path / "kept.csv").write_text(written(PAIRS), encoding="utf-8")
    assert list(read_minimal_pairs(Source(str(tmp_path / "kept.csv"))).rows) == PAIRS


def test_a_long_review_gives_the_sentences_that_differ() -> None:
    rest = "It was what it was. " * 60
    pair = round_difference(f"{rest}The plot is good! {rest}", f"{rest}The plot is not good! {rest}")
    assert pair == ("The plot is good!", "The plot is not good!")
    assert round_difference("A good film.<br />Yes.", "A bad film.<br />Yes.") == (
        "A good film. Yes.",
        "A bad film. Yes.",
    )
    assert round_difference(f"good {'word ' * LONGEST}", f"bad {'word ' * LONGEST}") is None
    assert round_difference("good", "") is None
