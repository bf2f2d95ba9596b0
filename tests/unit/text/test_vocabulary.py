"""Tokens and their spans in any text that can be typed; the vocabulary that numbers them."""

from __future__ import annotations

import random
import re
import subprocess
import sys
import unicodedata
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from nlpviz.text.vocabulary import PAD, SPECIALS, UNKNOWN, Seen, Vocabulary, tokenize, words_of

FAMILY = "👨\N{ZERO WIDTH JOINER}👩\N{ZERO WIDTH JOINER}👧"
ACCENT = "\N{COMBINING ACUTE ACCENT}"
MARKUP = re.compile(r"< */? *[a-zA-Z][^<>]{0,40}>")

# What any code point alone would hardly ever put together.
PIECES = st.sampled_from(
    [
        *[
            "don't",
            "l’âme",
            "Straße",
            "İSTANBUL",
            "ŒUVRE",
            "rock'n'roll",
            "x",
            "'",
            "’",
            "-",
            "٣",
            "שלום",
            "नमस्ते",
            "好",
            "한",
        ],
        *[
            "7/10",
            "90%",
            "80's",
            "1,000.5",
            "/",
            ".",
            "...",
            "!",
            "!!!!!",
            "?",
            "***",
            ":-)",
            ";D",
            "=(",
            "<3",
            "xD",
            ":",
        ],
        *[
            "<br />",
            "</i>",
            "<",
            ">",
            "<script>",
            "&amp;",
            "<a\nb>",
            " ",
            "\t",
            "\r\n",
            "\N{NO-BREAK SPACE}",
            "\u2028",
            "\x1f",
        ],
        *[
            FAMILY,
            "👍🏽",
            "🇩🇪",
            "🇩",
            "❤\ufe0f",
            "1\ufe0f\u20e3",
            ACCENT,
            "\N{ZERO WIDTH JOINER}",
            "\N{ARABIC NUMBER SIGN}",
        ],
        *["\0", "\N{ZERO WIDTH SPACE}", "\N{RIGHT-TO-LEFT OVERRIDE}", "\ufeff", "\ud800", "\ue000", "\U000e0001"],
    ]
)
TEXTS = st.one_of(st.text(), st.lists(PIECES, max_size=30).map("".join))


def words(text: str) -> list[str]:
    """Return the words of ``text``."""
    return [token.word for token in tokenize(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Don't you LOVE it?", ["don't", "you", "love", "it", "?"]),
        ("don’t", ["don't"]),
        ("'quoted' rock'n'roll", ["'", "quoted", "'", "rock'n'roll"]),
        ("7/10, or 7.5/10.", ["7/10", ",", "or", "7.5/10", "."]),
        ("90% of 1,000.5 in the 80's", ["90%", "of", "1,000.5", "in", "the", "80's"]),
        ("e-mail U.S.", ["e", "-", "mail", "u", ".", "s", "."]),
        ("Good :-) bad :( ;D =( <3 xD", ["good", ":-)", "bad", ":(", ";d", "=(", "<3", "xd"]),
        ("one:two (3:15)", ["one", ":", "two", "(", "3", ":", "15", ")"]),
        ("great!!!!!!! no... what??", ["great", "!!!", "no", "...", "what", "??"]),
        ("wait..........", ["wait", "..."]),
        ("dull.<br /><br/>Next</I>one", ["dull", ".", "next", "one"]),
        ("<script>alert(1)</script>", ["alert", "(", "1", ")"]),
        ("3 < 4 > 2", ["3", "<", "4", ">", "2"]),
        (f"a{FAMILY}b", ["a", FAMILY, "b"]),
        ("🇩🇪🇫🇷 👍🏽", ["🇩🇪", "🇫🇷", "👍🏽"]),
        ("שלום, עולם!", ["שלום", ",", "עולם", "!"]),
        ("好片", ["好片"]),
        ("a\0b\N{ZERO WIDTH SPACE}c", ["a", "b", "c"]),
        (f"Cafe{ACCENT} café", ["café", "café"]),
        (f"a {ACCENT}", ["a", ACCENT]),
        ("", []),
        (" \t\r\n\N{NO-BREAK SPACE}", []),
    ],
)
def test_words_by_hand(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_spans_point_into_the_text_as_typed() -> None:
    text = "<br />Amélie DON’T!!!! 👍🏽 7/10"
    assert [text[start:end] for _, start, end in tokenize(text)] == ["Amélie", "DON’T", "!!!!", "👍🏽", "7/10"]
    assert tokenize(text)[2] == ("!!!", 18, 22)


@given(TEXTS)
@example("\N{ARABIC NUMBER SIGN} x")
@example(f" {ACCENT}")
@example("🇩🇩🇩")
def test_every_span_spells_its_word(text: str) -> None:
    behind = 0
    for word, start, end in tokenize(text):
        assert behind <= start < end <= len(text)
        spelt = unicodedata.normalize("NFC", text[start:end].lower()).replace("’", "'")
        assert word == spelt or (word == spelt[:3] and len(set(spelt)) == 1)
        assert not any(sign.isspace() for sign in text[start:end] + word)
        assert any(sign.isprintable() for sign in text[start:end])
        behind = end


@given(st.lists(TEXTS, max_size=4))
@example(["<3 <b>!!!!", "<b> !!!! <3"])
def test_words_of_many_texts_are_those_of_each(texts: list[str]) -> None:
    assert list(words_of(texts)) == [[token.word for token in tokenize(text)] for text in texts]


@given(TEXTS)
def test_nothing_visible_but_markup_is_left_out(text: str) -> None:
    edges = [0, *[position for _, start, end in tokenize(text) for position in (start, end)], len(text)]
    between = [text[start:end] for start, end in zip(edges[::2], edges[1::2], strict=True)]
    left_out = MARKUP.sub("", "\n".join(between))
    assert not [sign for sign in left_out if sign.isprintable() and not sign.isspace()]


@given(st.text(alphabet="aeoucnAEOUCN áéôüçñÅËÕ’'.!"))
def test_composed_and_decomposed_accents_are_one_word(text: str) -> None:
    assert words(unicodedata.normalize("NFD", text)) == words(unicodedata.normalize("NFC", text))


def test_time_grows_with_the_length_alone() -> None:
    """What is cut in time that grows with the square of the length needs minutes for half a million signs, not tenths.

    So a process of its own may compute for a minute: on a machine ten times slower, a tenth of that would do.
    """
    pieces = [
        *["<", "a'", ":-", "(", "<a", "<a ", "</", "1.", "1/", "1'", "!?", ".", " ", "a", f"a{ACCENT}", ACCENT],
        *["🇩", "👨\N{ZERO WIDTH JOINER}", "\N{ARABIC NUMBER SIGN}", "क्", "xD", "<3", ":)", "good "],
    ]
    begun = [("", piece) for piece in pieces] + [("<", " "), ("</", " "), ("x", "D"), (":", ")"), ("1", "1")]
    program = f"""
import resource
from nlpviz.text.vocabulary import _TOKEN
resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
for head, piece in {begun!r}:
    print(ascii(head + piece), flush=True)
    for _ in _TOKEN.finditer(head + piece * (500_000 // len(piece)) + "a"):
        pass
"""
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, encoding="utf-8", check=False)
    assert told.returncode == 0, f"{told.stdout.splitlines()[-1:]} takes too long {told.stderr}"


def test_most_frequent_words_come_first_and_ties_are_alphabetical() -> None:
    vocabulary = Vocabulary.count([["b", "a", "c", "c"], ["c", "a", "b", "once"]], size=100)
    assert vocabulary.words == (*SPECIALS, "c", "a", "b")
    assert vocabulary.counts.tolist() == [0, 0, 3, 2, 2]
    assert len(vocabulary) == 5
    assert "once" not in vocabulary, "a word seen once is left out"
    assert "once" in Vocabulary.count([["once"]], size=3, min_count=1)


def test_size_counts_the_special_ids() -> None:
    assert Vocabulary.count([["a", "a", "b", "b", "c", "c"]], size=4).words == (*SPECIALS, "a", "b")


@given(st.lists(st.lists(st.sampled_from("abcdefgh"))), st.randoms(use_true_random=False))
def test_the_order_of_texts_changes_nothing(texts: list[list[str]], rng: random.Random) -> None:
    shuffled = [rng.sample(text, len(text)) for text in texts]
    rng.shuffle(shuffled)
    first, second = Vocabulary.count(texts, 6), Vocabulary.count(shuffled, 6)
    assert first.words == second.words
    assert np.array_equal(first.counts, second.counts)


def test_padding_and_unknown_are_two_ids_that_no_text_can_name() -> None:
    vocabulary = Vocabulary(["a"], [1])
    assert PAD != UNKNOWN
    assert [vocabulary.id(word) for word in ("a", "b", *SPECIALS)] == [2, UNKNOWN, UNKNOWN, UNKNOWN]
    assert not any(special in vocabulary for special in SPECIALS)
    assert vocabulary.ids([]).shape == (0,)


@pytest.mark.parametrize(
    ("wrong_words", "counts", "sentence"),
    [
        (["a", "a"], [2, 1], "each word only once"),
        (["a"], [], "one count per word"),
        (["a", "b"], [1, 2], "most frequent"),
    ],
)
def test_vocabulary_refuses_what_is_not_ranked(wrong_words: list[str], counts: list[int], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        Vocabulary(wrong_words, counts)


def test_counts_cannot_be_changed() -> None:
    with pytest.raises(ValueError, match="read-only"):
        Vocabulary(["a"], [1]).counts[2] = 5


@given(text=TEXTS.filter(tokenize))
@example(text="a\N{GREEK QUESTION MARK}")
def test_save_and_load_give_the_same_vocabulary(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    path = tmp_path_factory.getbasetemp() / "vocabulary.txt"
    written = Vocabulary.count([words(text)], size=1000, min_count=1)
    written.save(path)
    read = Vocabulary.load(path)
    assert read.words == written.words
    assert np.array_equal(read.counts, written.counts)


def test_file_holds_a_word_a_tab_and_a_count_a_line(tmp_path: Path) -> None:
    Vocabulary(["the", "naïve"], [3, 1]).save(tmp_path / "v")
    assert (tmp_path / "v").read_bytes() == "the\t3\nnaïve\t1\n".encode()


@pytest.mark.parametrize("content", ["the 3\n", "the\tmany\n", "the\t3\n\na\t2\n", "the\t-3\n", "a\t1\nb\t2\n"])
def test_load_refuses_another_file(tmp_path: Path, content: str) -> None:
    (tmp_path / "v").write_text(content, encoding="utf-8")
    with pytest.raises(ValueError, match=r"vocabulary|must contain"):
        Vocabulary.load(tmp_path / "v")


def test_encode_says_what_the_model_really_saw() -> None:
    vocabulary = Vocabulary(["good", "not"], [2, 1])
    encoded = vocabulary.encode("Not <b>GOOD</b> zzz, good!", max_length=4)
    assert encoded.ids.tolist() == [3, 2, UNKNOWN, UNKNOWN]
    assert encoded.seen == (Seen.KNOWN, Seen.KNOWN, Seen.UNKNOWN, Seen.UNKNOWN, Seen.CUT, Seen.CUT)
    assert [token.word for token in encoded.tokens] == ["not", "good", "zzz", ",", "good", "!"]
    assert [token.word for token in encoded.read] == ["not", "good", "zzz", ","]
    assert encoded.padding == 0
    assert vocabulary.encode("good", max_length=4).padding == 3
    assert vocabulary.encode("", max_length=4).padding == 4


@given(TEXTS, st.integers(1, 12))
def test_every_token_is_read_or_cut_and_padding_fills_the_rest(text: str, max_length: int) -> None:
    encoded = Vocabulary(["x", "!"], [2, 1]).encode(text, max_length)
    assert len(encoded.seen) == len(encoded.tokens) == len(tokenize(text))
    assert len(encoded.ids) == min(len(encoded.tokens), max_length)
    assert encoded.padding + len(encoded.ids) == max_length
    assert encoded.seen.count(Seen.CUT) == len(encoded.tokens) - len(encoded.ids)
    assert encoded.seen.count(Seen.UNKNOWN) == (encoded.ids == UNKNOWN).sum()
    assert PAD not in encoded.ids
