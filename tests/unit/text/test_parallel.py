"""Sentences of two languages: tokens, joiners, case, and the vocabularies of a pair."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlpviz.data.sentences import sentences
from nlpviz.text.parallel import (
    EOS,
    JOINER,
    LanguagePair,
    capitalised,
    inner_counts,
    join,
    source_tokens,
    split,
    target_words,
    truecased,
    written_spans,
)
from nlpviz.text.vocabulary import UNKNOWN, Vocabulary

LANGUAGES = ["de", "en", "fr", "it-CH", "target"]
PAIR = LanguagePair(
    "en",
    "fr",
    Vocabulary(["a", "man", "."], [9, 5, 4]),
    Vocabulary([EOS, "un", "￭.", "homme", "l'￭", "Paris"], [9, 8, 8, 5, 2, 1]),
)


@pytest.mark.parametrize(
    ("text", "language", "words"),
    [
        ("L'homme dort.", "fr", ["L'￭", "homme", "dort", "￭."]),
        ("Aujourd'hui : « oui »", "fr", ["Aujourd'￭", "hui", ":", "«", "oui", "»"]),
        ("The man's dog doesn't.", "en", ["The", "man", "￭'s", "dog", "doesn", "￭'t", "￭."]),
        ("Geht's gut?", "de", ["Geht", "￭'s", "gut", "￭?"]),
        ('Er sagt "ja" (leise).', "de", ["Er", "sagt", '"￭', "ja", '￭"', "(￭", "leise", "￭)", "￭."]),
        ("un t-shirt 3,5 m2", "fr", ["un", "t", "￭-￭", "shirt", "3,5", "m2"]),
        ("3m", "en", ["3", "￭m"]),
        ("« C'est »", "fr", ["«", "C'￭", "est", "»"]),
        ("a  b", "en", ["a", "b"]),
        ("", "en", []),
    ],
)
def test_target_words(text: str, language: str, words: list[str]) -> None:
    assert target_words(text, language) == words
    assert join(words) == " ".join(text.split())


def spaced(text: str) -> str:
    """Return a text as it comes back: in NFC, one space where there was white space, without what is no token."""
    kept = (sign if sign.isprintable() and sign != JOINER else " " for sign in text)
    return " ".join("".join(kept).split())


@given(st.text(st.sampled_from("abÉß 'é’.,-\"(3!?«»\n")), st.sampled_from(LANGUAGES))
def test_words_are_put_together_again(text: str, language: str) -> None:
    assert join(target_words(text, language)) == spaced(unicodedata.normalize("NFC", text))


def test_words_are_found_again_in_what_was_written() -> None:
    words = ["«", "l'￭", "homme", "￭-￭", "Zebra", "￭.", EOS]
    text = PAIR.written(words)
    assert text == "« L'homme-Zebra."
    spans = written_spans(words)
    assert [text[start:end] for start, end in spans] == ["«", "L'", "homme", "-", "Zebra", ".", ""]
    assert written_spans([]) == []


def test_a_capital_of_two_signs_moves_what_follows() -> None:
    words = ["ßa", "un", "￭."]
    text = PAIR.written(words)
    assert [text[start:end] for start, end in written_spans(words)] == ["SSa", "un", "."]


@given(st.text(st.sampled_from("abÉß 'é’.,-\"(3!?«»")), st.sampled_from(LANGUAGES))
def test_any_words_are_found_again(text: str, language: str) -> None:
    words = [*target_words(text, language), EOS]
    written, spans = PAIR.written(words), written_spans(words)
    parts = [written[start:end].casefold() for start, end in spans]
    assert parts == [*(word.strip(JOINER).casefold() for word in words[:-1]), ""]


@given(st.text(), st.sampled_from(LANGUAGES))
def test_any_text_has_tokens_in_their_places(text: str, language: str) -> None:
    end = 0
    for token in split(text, language):
        assert end <= token.start < token.end <= len(text)
        assert unicodedata.normalize("NFC", text[token.start : token.end]) == token.word
        end = token.end
    joined = join(target_words(text, language))
    assert join(target_words(joined, language)) == joined
    assert EOS not in [token.word for token in split(text, language)]


def test_source_tokens_are_lower_case_and_keep_their_places() -> None:
    tokens = source_tokens("The Man’s dog.", "en")
    assert [token.word for token in tokens] == ["the", "man", "'s", "dog", "."]
    assert tokens[2][1:] == (7, 9)


def test_spaces_before_marks_change_nothing_in_a_source() -> None:
    words = [[token.word for token in source_tokens(text, "en")] for text in ("a bike .", "A bike.")]
    assert words[0] == words[1]


def test_the_first_word_is_spelt_as_inside_a_sentence() -> None:
    inner = inner_counts([["Un", "homme", "un"], ["Paris", "aime", "Paris"], ["Le", "Paris"]])
    assert inner == {"homme": 1, "un": 1, "aime": 1, "Paris": 2}
    assert truecased(["Un", "homme"], inner) == ["un", "homme"]
    assert truecased(["Paris", "dort"], inner) == ["Paris", "dort"]
    assert truecased(["Ljubljana"], inner) == ["Ljubljana"], "what was never seen stays"
    assert truecased(['"￭', "Un"], inner) == ['"￭', "un"]
    assert truecased(["￭.", "3"], inner) == ["￭.", "3"]
    assert truecased([], inner) == []


def test_a_capital_comes_back() -> None:
    assert capitalised("l'homme") == "L'homme"
    assert capitalised('"un homme') == '"Un homme'
    assert capitalised("3 hommes") == "3 hommes", "a number begins the sentence, and no word does"
    assert capitalised("élan") == "Élan"
    assert capitalised("") == ""
    assert PAIR.written(["l'￭", "homme", "￭.", EOS]) == "L'homme."
    assert PAIR.written(["3", "hommes", "￭."]) == "3 hommes."


def test_a_pair_reads_and_writes() -> None:
    encoded = PAIR.read("A man  ZZ.", 3)
    assert [token.word for token in encoded.tokens] == ["a", "man", "zz", "."]
    assert encoded.ids.tolist() == [2, 3, UNKNOWN]
    assert [str(state) for state in encoded.seen] == ["known", "known", "unknown", "cut off"]
    assert PAIR.target_ids("Un homme.").tolist() == [3, 5, 4]
    assert PAIR.target_ids("L'homme Un").tolist() == [6, 5, UNKNOWN], "only the first word loses its capital"
    assert PAIR.target_ids("Paris").tolist() == [7]
    assert PAIR.eos == 2


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("L'", ["l'￭"]),
        ("L’ ", ["l’￭"]),
        ("Un homme d'", ["un", "homme", "d'￭"]),
        ("Un T-", ["un", "T", "￭-￭"]),
        ("Un homme (", ["un", "homme", "(￭"]),
        ("Un homme -", ["un", "homme", "-"]),  # known as it stands
        ("Un homme.", ["un", "homme", "￭."]),
        ("Un homme", ["un", "homme"]),
        ("Un e\u0301", ["un", "é"]),
        ("Un xyz'", ["un", "xyz", "￭'"]),  # nothing helps
        ("", []),
        (" ", []),
    ],
)
def test_a_beginning_may_break_off_where_the_next_word_is_joined(text: str, words: list[str]) -> None:
    known = ["un", "homme", "T", "￭.", "-", "l'￭", "l’￭", "d'￭", "￭-￭", "(￭"]
    pair = LanguagePair("en", "fr", PAIR.source, Vocabulary([EOS, *known], [9] * 11))
    assert pair.prefix_words(text) == words


@pytest.mark.parametrize("example", sentences(), ids=lambda example: example.id)
def test_examples_are_put_together_again(example: object) -> None:
    text = str(getattr(example, "text", ""))
    assert join(target_words(text, "en")) == text


def test_examples_differ_and_have_every_kind() -> None:
    for field in ("id", "title", "text"):
        values = [getattr(example, field) for example in sentences()]
        assert len(set(values)) == len(values)
    kinds = {example.kind for example in sentences()}
    assert {"everyday", "word-order", "unknown", "long", "short", "other-language", "phrase"} <= kinds
    assert 36 <= len(sentences()) <= 60
    longest = max(len(source_tokens(example.text, "en")) for example in sentences())
    assert longest > 60, "longer than any sentence of Multi30k"
