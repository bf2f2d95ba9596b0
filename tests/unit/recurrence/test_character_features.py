"""Features that are read off characters, against texts that were marked by hand."""

from __future__ import annotations

import numpy as np
import pytest

from nlpviz.analysis.inspection.features import features, features_of
from nlpviz.text.tokenizers import CHARACTERS, REVIEWS, TOKENIZERS, WIKITEXT
from nlpviz.text.vocabulary import Vocabulary
from tests.language import vocabulary

MARKED = {
    "quotation": [
        ("he said, 'Go, now!' and left", "         ##########         "),
        ("'tis mine, 'Tis thine", "                     "),
        ("'Don't go.' said", "###########     "),
        ('say "no" or “yes”', "    ####    #####"),
        ("'What\n\nno.'", "           "),
    ],
    "speaker": [
        ("KING:\nno: yes:\n\nFirst Man:\nhe said:", "#####           ##########         "),
        ("a b: c\n\nno name", "               "),
    ],
    "capital": [("The King", "#   #   ")],
}


def course(name: str, text: str) -> np.ndarray:
    words = vocabulary(CHARACTERS)
    characters = Vocabulary(words.words[2:], words.counts[2:].tolist(), TOKENIZERS[CHARACTERS].tokens)
    return features()[name].course(characters.encode(text, 300), {})


@pytest.mark.parametrize(("name", "text", "mark"), [(name, *one) for name, some in MARKED.items() for one in some])
def test_a_text_is_marked_as_by_hand(name: str, text: str, mark: str) -> None:
    assert "".join(" #"[int(one)] for one in course(name, text)) == mark


def test_places_are_counted_from_the_line_and_from_the_word() -> None:
    assert course("line-position", "ab\n\ncd").tolist() == [0, 1, 2, 0, 0, 1]
    assert course("word-position", "I'll go -on").tolist() == [1, 2, 3, 4, 0, 1, 2, 0, 0, 1, 2]


@pytest.mark.parametrize("text", ["", "a", "'" * 5000, '"' * 4999, "KING:" * 1000, "\n" * 300])
def test_any_text_has_a_course(text: str) -> None:
    for name in features_of(TOKENIZERS[CHARACTERS]):
        assert course(name, text).shape == (min(len(text), 300),)


def test_features_suit_what_is_read() -> None:
    of = {name: set(features_of(TOKENIZERS[name])) for name in (CHARACTERS, WIKITEXT, REVIEWS)}
    assert of[CHARACTERS] == {"position", "line-position", "word-position", "quotation", "speaker", "capital"}
    assert of[WIKITEXT] - of[REVIEWS] == {"line-position"}
    assert of[REVIEWS] - of[WIKITEXT] == {"sentiment"}


def test_what_speaks_for_the_last_of_many_classes_is_no_sentiment() -> None:
    many = features_of(TOKENIZERS[REVIEWS], ("billing", "bug", "login"))
    assert many["sentiment"].title == "evidence for login so far"
    assert "log-odds against all other classes" in many["sentiment"].says
    two = features_of(TOKENIZERS[REVIEWS], ("negative", "positive"))
    assert two["sentiment"].title == "sentiment so far"
    assert [one.title for name, one in many.items() if name != "sentiment"] == [
        one.title for name, one in two.items() if name != "sentiment"
    ]
