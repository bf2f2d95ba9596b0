"""What the tokens of a text are to each tokenizer, where they stand, and how they are written again."""

from __future__ import annotations

import pytest

from nlpviz.text.tokenizers import CHARACTERS, EOS, TOKENIZERS, WIKITEXT, shown
from nlpviz.text.vocabulary import Vocabulary

PARTED = [
    ("I didn't like the well-known film's end.", "I didn 't like the well @-@ known film 's end ."),
    ("It cost $1,000.50 in 1990.", "It cost $ 1 @,@ 000 @.@ 50 in 1990 ."),
    ("Mr. H. Smith of the U.S. Army (born 1900)", "Mr. H. Smith of the U.S. Army ( born 1900 )"),
    ('"Yes", he said: no; never!', '" Yes " , he said : no ; never !'),
    ("a <unk> of 1 @,@ 000 well @-@ made things", "a <unk> of 1 @,@ 000 well @-@ made things"),
    ("café – naïve … 3rd", "café – naïve … 3rd"),
    ("one\n\ntwo \n", f"one {EOS} {EOS} two {EOS}"),
    ("don’t", "don 't"),
    ("", ""),
    (" \t ", ""),
]


@pytest.mark.parametrize(("text", "tokens"), PARTED)
def test_wikitext_is_parted_as_published(text: str, tokens: str) -> None:
    assert [token.word for token in TOKENIZERS[WIKITEXT].tokens(text)] == tokens.split()


@pytest.mark.parametrize("name", TOKENIZERS)
@pytest.mark.parametrize("text", [text for text, _ in PARTED])
def test_tokens_say_where_they_stand(name: str, text: str) -> None:
    tokens = TOKENIZERS[name].tokens(text)
    assert all(0 <= token.start < token.end <= len(text) for token in tokens)
    assert [token.start for token in tokens] == sorted(token.start for token in tokens)


@pytest.mark.parametrize("text", [text for text, _ in PARTED])
def test_characters_are_written_as_they_were_read(text: str) -> None:
    tokenizer = TOKENIZERS[CHARACTERS]
    assert tokenizer.write(token.word for token in tokenizer.tokens(text)) == text


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("the well @-@ known 1 @,@ 000 films , he said .", "the well-known 1,000 films, he said."),
        (f"didn 't ( once ) {EOS} {EOS} = Title =", "didn't (once)\n\n= Title ="),
    ],
)
def test_words_are_written_with_the_spaces_of_a_text(words: str, text: str) -> None:
    assert TOKENIZERS[WIKITEXT].write(words.split()) == text


def test_a_vocabulary_parts_texts_by_its_own_tokenizer() -> None:
    vocabulary = Vocabulary([EOS, "A", "b"], [3, 2, 1], TOKENIZERS[CHARACTERS].tokens)
    assert vocabulary.encode("A\nbz", 10).ids.tolist() == [3, 2, 4, 1]
    assert [token.word for token in Vocabulary([], []).encode("Don't!!!!", 10).tokens] == ["don't", "!!!"]


def test_what_would_not_be_seen_is_shown() -> None:
    assert [shown(word) for word in (EOS, " ", "a")] == ["↵", "␣", "a"]
