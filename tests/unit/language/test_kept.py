"""Which tokens of a text are the same ones after a word before them was swapped."""

from __future__ import annotations

import pytest

from nlpviz.language.surprisal import kept
from nlpviz.text.tokenizers import TOKENIZERS
from nlpviz.text.vocabulary import Vocabulary


@pytest.mark.parametrize(
    ("tokenizer", "text", "swapped", "typed", "same"),
    [
        ("wikitext", "the cat sat on it", "cat", "very old dog", ["sat", "on", "it"]),
        ("wikitext", "the cat sat on it", "cat", "", ["sat", "on", "it"]),
        ("wikitext", "a well-known name", "-", "x", ["name"]),
        ("reviews", "I like it > now", "I", "<i", ["now"]),
        ("characters", "to be", "o", "oo", [" ", "b", "e"]),
    ],
)
def test_what_is_behind_a_swap_is_found_again(
    tokenizer: str, text: str, swapped: str, typed: str, same: list[str]
) -> None:
    words = Vocabulary((), (), TOKENIZERS[tokenizer].tokens)
    start = text.index(swapped)
    end = start + len(swapped)
    before, after = words.encode(text, 99), words.encode(text[:start] + typed + text[end:], 99)
    pairs = kept(before, after, end, len(typed) - len(swapped))
    assert [before.read[old].word for old, _ in pairs] == same
    assert [after.read[new].word for _, new in pairs] == same
