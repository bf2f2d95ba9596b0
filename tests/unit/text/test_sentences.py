"""Sentences: their positions in the text, and the sentence of each token."""

from __future__ import annotations

import subprocess
import sys
from itertools import pairwise

import numpy as np
import pytest

from nlpviz.text.sentences import Sentence, numbers, sentences, split, with_sentences
from nlpviz.text.vocabulary import SENTENCE, Vocabulary, tokenize

TEXTS = [
    ("", []),
    ("  \n", []),
    ("no end mark", ["no end mark"]),
    ("It works. And this? Yes!", ["It works.", "And this?", "Yes!"]),
    ("Mr. Smith gave it 7.5/10. Mrs. Jones did not.", ["Mr. Smith gave it 7.5/10.", "Mrs. Jones did not."]),
    ("no stop here<br /><br />and none there", ["no stop here", "and none there"]),
    ("one<BR>two</p><p>three", ["one", "two", "three"]),
    (
        "an <i>inner</i> mark and a <b>bold one</b> end. Next",
        ["an <i>inner</i> mark and a <b>bold one</b> end.", "Next"],
    ),
    ("  Wide.   \n\n  Apart. ", ["Wide.", "Apart."]),
    ("Good 😀 film. Naïve é too.", ["Good 😀 film.", "Naïve é too."]),
    ("half \ud83d sign. Then more.", ["half \ud83d sign.", "Then more."]),
    ("a < b > c", ["a < b > c"]),
]


@pytest.mark.parametrize(("text", "expected"), TEXTS, ids=ascii)
def test_sentences_are_spans_of_the_text_as_typed(text: str, expected: list[str]) -> None:
    assert [text[start:end] for start, end in split(text)] == expected


ODD = [
    '<blockquote cite="https://www.imdb.com/title/tt01/">',  # too long for markup: tokens, and no break
    'Good. <table border="0" cellspacing="0" width="9"> Bad.',
    "Great film\u203c\ufe0f Loved it.",
    "? !!!”Mr. ”؟❤️ ",
]


@pytest.mark.parametrize("text", [*(text for text, _ in TEXTS), *ODD], ids=ascii)
def test_each_token_is_in_one_sentence(text: str) -> None:
    tokens = tokenize(text)
    result = sentences(text, tokens)
    assert [position for sentence in result for position in range(sentence.first, sentence.last)] == list(
        range(len(tokens))
    )
    for sentence in result:
        for token in tokens[sentence.first : sentence.last]:
            assert sentence.start <= token.start < token.end <= sentence.end
    assert all(before.end <= after.start for before, after in pairwise(result))
    assert numbers(text, tokens).tolist() == [
        number for number, sentence in enumerate(result) for _ in range(sentence.first, sentence.last)
    ]


def test_a_sentence_without_tokens_is_none() -> None:
    """Signs that are no token, between markup, leave no gap in the numbers."""
    text = "Good.<br />\u200b<br />Bad."
    assert len(split(text)) == 3
    assert sentences(text, tokenize(text)) == [Sentence(0, 2, 0, 5), Sentence(2, 4, 18, 22)]
    assert numbers(text, tokenize(text)).tolist() == [0, 0, 1, 1]


@pytest.mark.parametrize(
    ("text", "count", "tokens"),
    [("word " * 1000, 1, 1000), ("It is so. " * 300, 300, 1200), ("Why<br />" * 300, 300, 300)],
    ids=["a thousand words", "three hundred sentences", "three hundred lines"],
)
def test_nothing_is_cut(text: str, count: int, tokens: int) -> None:
    assert numbers(text, tokenize(text)).tolist() == sorted(list(range(count)) * (tokens // count))


def test_a_text_cut_by_the_maximum_length_keeps_the_sentences_of_what_is_read() -> None:
    vocabulary = Vocabulary(["good", "bad", "."], [3, 2, 1])
    encoded = with_sentences(vocabulary.encode("Good. Bad. Good bad.", max_length=5))
    assert encoded.sentences is not None
    assert encoded.sentences.tolist() == [0, 0, 1, 1, 2]
    assert encoded.ids.tolist() == [2, 4, 3, 4, 2]
    assert encoded.row.tolist() == [2, 4, 3 + SENTENCE, 4 + SENTENCE, 2 + 2 * SENTENCE]


def test_without_sentences_a_row_is_the_ids() -> None:
    encoded = Vocabulary(["good"], [3]).encode("Good. Good", max_length=5)
    assert encoded.sentences is None
    np.testing.assert_array_equal(encoded.row, encoded.ids)


def test_the_splitter_is_loaded_when_a_text_is_split() -> None:
    source = (
        "import sys, nlpviz.text.sentences; assert 'sentencex' not in sys.modules; "
        "nlpviz.text.sentences.split('a. b'); assert 'sentencex' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", source], check=True)
