"""Byte pair encoding: merges against a plain reading of the paper, pieces that are words and sentences again."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlpviz.data import multi30k
from nlpviz.text.parallel import (
    EOS,
    GOES_ON,
    JOINER,
    LanguagePair,
    join,
    source_tokens,
    split,
    target_words,
    without_joiners,
    written_spans,
)
from nlpviz.text.subwords import LONGEST, Subwords, learn, merged, one_piece, piece_counts, signs_of, whole_words
from nlpviz.text.vocabulary import UNKNOWN, Vocabulary

PAPER = {"low": 5, "lowest": 2, "newer": 6, "wider": 3}
WORDS = st.dictionaries(st.text("abc", min_size=1, max_size=6), st.integers(1, 9), max_size=8)


def plain(words: dict[str, int], merges: int) -> list[tuple[str, str]]:
    """Return the merges of the paper's algorithm 1, counted anew each time."""
    texts, learnt = {word: signs_of(word) for word in words}, []
    for _ in range(merges):
        counts: Counter[tuple[str, str]] = Counter()
        for word, pieces in texts.items():
            for pair in pairwise(pieces):
                counts[pair] += words[word]
        best = min(counts, key=lambda pair: (-counts[pair], pair), default=None)
        if best is None or counts[best] < 2:
            break
        learnt.append(best)
        texts = {word: merged(pieces, best) for word, pieces in texts.items()}
    return learnt


def marked(*pairs: str) -> list[tuple[str, str]]:
    """Return merges as they are written for people: ``"l· o·"``."""
    return [tuple(pair.replace("·", GOES_ON).split(" ")) for pair in pairs]  # type: ignore[misc]


def pair_of(*sentences: str, merges: int = 30) -> LanguagePair:
    """Return a pair of languages whose words on both sides are those of ``sentences``."""
    words = [[*target_words(text, "fr"), *(token.word for token in source_tokens(text, "en"))] for text in sentences]
    subwords = learn(Counter(word for text in words for word in text), merges)
    both = Vocabulary.ranked(piece_counts(subwords, [*words, [EOS]]), 1_000, min_count=0)
    return LanguagePair("en", "fr", both, both, subwords)


# ---------------------------------------------------------------------------------------------------------- merges


def test_the_words_of_the_paper() -> None:
    """The most frequent neighbours are e and a final r, 9 times; then l and o, 7 times; then w and e as in lowest."""
    subwords = learn(PAPER, 7)
    assert list(subwords.merges[:2]) == marked("e· r", "l· o·")
    assert [[without_joiners(piece) for piece in subwords.pieces_of(word)] for word in ("lower", "newer")] == [
        ["lo·", "w·", "er"],
        ["newer"],
    ]
    assert [without_joiners(piece) for piece in learn(PAPER, 2).pieces_of("lowest")] == ["lo·", "w·", "e·", "s·", "t"]


@given(WORDS, st.integers(0, 12))
def test_merges_are_those_of_counting_anew(words: dict[str, int], merges: int) -> None:
    assert list(learn(words, merges).merges) == plain(words, merges)


@given(WORDS, st.randoms())
def test_the_order_of_the_words_changes_nothing(words: dict[str, int], random) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001
    shuffled = list(words.items())
    random.shuffle(shuffled)
    assert learn(dict(shuffled), 10).merges == learn(words, 10).merges


def test_what_occurs_once_is_not_merged() -> None:
    assert learn({"abc": 1}, 5).merges == ()
    assert learn({}, 5).merges == ()


@given(WORDS, st.integers(0, 12))
def test_merges_are_read_as_they_were_written(words: dict[str, int], merges: int) -> None:
    subwords = learn(words, merges)
    assert Subwords.of_text(subwords.as_text()).merges == subwords.merges


@pytest.mark.parametrize("text", ["a￭￭\n", "a b\n", "a￭￭ b c\n", "a￭￭ b\n\na\n"])
def test_damaged_merges_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="one merge of two subwords"):
        Subwords.of_text(text)


# ---------------------------------------------------------------------------------------------------------- pieces


@given(st.text(st.sampled_from("abÉß 'é’.,-\"(3!?«»")), st.integers(0, 30))
def test_pieces_are_the_words_and_the_sentence_again(text: str, merges: int) -> None:
    words = target_words(text, "fr")
    pieces = learn(Counter(words * 2), merges).pieces(words)
    assert whole_words(pieces) == words
    assert join(pieces) == join(words)
    pair = LanguagePair("en", "fr", Vocabulary([], []), Vocabulary([EOS], [1]))
    spans, written = written_spans([*pieces, EOS]), pair.written([*pieces, EOS])
    assert written == pair.written([*words, EOS])
    parts = [written[start:end].casefold() for start, end in spans]
    assert parts == [*(piece.strip(JOINER).casefold() for piece in pieces), ""]


def test_a_joiner_is_no_sign_of_its_own() -> None:
    assert signs_of("l'￭") == [f"l{GOES_ON}", "'￭"]
    assert signs_of("￭-￭") == ["￭-￭"]
    assert signs_of("￭'s") == [f"￭'{GOES_ON}", "s"]
    assert whole_words([f"l{GOES_ON}", "'￭", "homme"]) == ["l'￭", "homme"]


def test_a_word_that_breaks_off_ends_before_the_boundary() -> None:
    assert whole_words(["un", f"spazier{GOES_ON}", EOS]) == ["un", "spazier", EOS]
    assert whole_words([f"spazier{GOES_ON}"]) == ["spazier"]
    assert without_joiners(f"spazier{GOES_ON}") == "spazier·"


@given(WORDS, st.integers(0, 12))
def test_no_word_of_the_training_texts_has_an_unknown_piece(words: dict[str, int], merges: int) -> None:
    """Nor has any other word of their characters, in the places that these have."""
    subwords = learn(words, merges)
    counts = piece_counts(subwords, [[word] * count for word, count in words.items()])
    assert set(counts) == {sign for word in words for sign in signs_of(word)} | set(map(one_piece, subwords.merges))
    expected: Counter[str] = Counter()
    for word, count in words.items():
        for piece in subwords.pieces_of(word):
            expected[piece] += count
    assert +counts == expected


def test_a_very_long_word_is_cut_first() -> None:
    subwords = learn({"aaaaa": 9}, 9)
    pieces = subwords.pieces_of("a" * 100_000)
    assert whole_words(pieces) == ["a" * 100_000]
    assert pieces[: LONGEST // 2] == (f"aa{GOES_ON}",) * (LONGEST // 2)


# ------------------------------------------------------------------------------------------------- pairs of languages


PAIR = pair_of("un homme. un homme voit l'homme-chat.", "le chat voit un chat. le chat.")


def test_pieces_of_a_source_stand_in_their_places() -> None:
    text = "Un  HOMMAGE, où?"
    encoded = PAIR.read(text, 100)
    assert "".join(text[token.start : token.end] for token in encoded.tokens) == "UnHOMMAGE,où?"
    assert [text[token.start : token.end].lower() for token in encoded.tokens] == [
        token.word.removesuffix(GOES_ON) for token in encoded.tokens
    ]
    assert whole_words(token.word for token in encoded.tokens) == ["un", "hommage", ",", "où", "?"]
    unknown = [token.word for token, number in zip(encoded.tokens, encoded.ids, strict=True) if number == UNKNOWN]
    assert unknown == ["g￭￭", ",", "ù", "?"], "the signs that no training sentence has in such a place"


@given(st.text())
def test_any_source_has_pieces_in_their_places(text: str) -> None:
    tokens, end = split(text, "en"), 0
    for token in PAIR.read(text, 1_000).tokens:
        assert end <= token.start <= token.end <= len(text)
        end = token.end
    assert end == (tokens[-1].end if tokens else 0)


def test_a_target_text_is_cut_after_its_case_was_found() -> None:
    assert PAIR.target_words("Un chat.") == PAIR.pieces(["un", "chat", "￭."])
    assert PAIR.target_words("Chats")[0][0] == "c", "a word that was never seen has as few pieces as can be"
    assert PAIR.target_words("Zx")[0] == f"Z{GOES_ON}", "and stays as it is where that tells nothing"
    assert UNKNOWN not in PAIR.target_ids("Un homme voit un chat.")


def test_a_beginning_is_cut_too() -> None:
    assert PAIR.prefix_words("Le ch") == PAIR.pieces(["le", "ch"])
    assert PAIR.prefix_words("Un homme voit l'") == PAIR.pieces(["un", "homme", "voit", "l'￭"])
    assert PAIR.written(PAIR.prefix_words("un homm")) == "Un homm"


@pytest.mark.ci
@pytest.mark.usefixtures("multi30k_archive")
def test_every_training_sentence_of_multi30k_comes_back() -> None:
    """And every word of the validation sentences that is spelt with known characters is known."""
    train, validation = map(multi30k.read, ("train", "val"))
    sentences, held_out = ([target_words(text, "de") for text in some.texts["de"]] for some in (train, validation))
    subwords = learn(Counter(word for words in sentences for word in words), 4_000)
    assert len(subwords.merges) == 4_000
    for words in sentences:
        pieces = subwords.pieces(words)
        assert whole_words(pieces) == words
        assert join(pieces) == join(words)
    known, others = piece_counts(subwords, sentences), {word for words in held_out for word in words}
    spelt = {word for word in others if set(signs_of(word)) <= known.keys()}
    assert all(piece in known for piece in subwords.pieces(spelt))
    assert len(spelt) > 0.99 * len(others)
