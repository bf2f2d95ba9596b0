"""What the tokens of a text are, by the name that a run's manifest has for it; and how tokens are written as a text.

A language model predicts the tokens of its corpus. One of words may write its own kind of text alone: WikiText parts
``didn't`` and ``1,000`` in another way than the reviews' tokenizer does, and keeps capital letters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import regex

from nlpviz.text.treebank import treebank_tokens
from nlpviz.text.vocabulary import EOS, Token, shown, tokenize

__all__ = ["CHARACTERS", "EOS", "REVIEWS", "TOKENIZERS", "TREEBANK", "WIKITEXT", "Tokenizer", "shown"]

_WIKITEXT = regex.compile(
    r"""
      \n                                                # the end of a line is a token
    | <unk> | @[-,.]@                                   # as the corpus writes them
    | (?P<within>(?<=\d)[.,](?=\d) | (?<=[\p{L}\p{N}])-(?=[\p{L}\p{N}]))  # 1 @,@ 000, well @-@ known
    | (?P<short>['’](?:s|t|m|ve|re|ll|d|S|T))\b        # didn 't, John 's
    | \b(?:\p{Lu}\.)+(?=\s*\S) | \b(?:\p{L}\.){2,}    # initials: H., U.S., a.m.
    | \b(?:Mr|Mrs|Ms|Dr|St|Mt|Jr|Sr|Lt|Gen|Col|Capt|Sgt|Maj|Cpl|Adm|Gov|Sen|Rep|Rev|Prof|Hon)\.(?=\s)
    | \b(?:Bros|Co|Nos?|vs|var)\.(?=\s)
    | [\p{L}\p{M}\p{N}]+
    | \.{2,} | -{2,}
    | [^\S\n]+
    | \X
    """,
    regex.VERBOSE,
)
_WITHIN = {"-": "@-@", ",": "@,@", ".": "@.@"}
_CLOSING = regex.compile(r"[.,;:!?%)\]}…]+|@[-,.]@|['’](?:s|t|m|ve|re|ll|d|S|T)")
_OPENING = regex.compile(r"[(\[{$£€#]|@[-,.]@")


def wikitext_tokens(text: str) -> list[Token]:
    """Return the tokens of ``text`` as WikiText parts them, each with its character span.

    Its own tokenizer is not published; the rules here are those that its text shows: hyphens and separators within a
    word or a number are tokens of their own, ``@-@``, ``@,@``, ``@.@``. What the corpus has parted already stays nearly
    as it is: abbreviations such as ``U.S.`` are parted once more: its test text has 58 tokens beyond 245,569.
    What a run is measured on is read as the corpus has it.
    """
    tokens = []
    for match in _WIKITEXT.finditer(text):
        piece, start, end = match[0], match.start(), match.end()
        if piece == "\n":
            tokens.append(Token(EOS, start, end))
        elif not piece.isspace() and any(map(str.isprintable, piece)):
            word = piece if match["within"] is None else _WITHIN[piece]
            tokens.append(Token(word if match["short"] is None else word.replace("’", "'"), start, end))
    return tokens


def character_tokens(text: str) -> list[Token]:
    """Return the characters of ``text``; the end of a line is the one that all tokenizers have for it."""
    return [Token(EOS if sign == "\n" else sign, place, place + 1) for place, sign in enumerate(text)]


def _written_words(words: Iterable[str]) -> str:
    """Return words as a text: a space between two of them, none before a comma or after an opening bracket."""
    pieces: list[str] = []
    tight = True  # nothing before, or what the next word is joined to
    for word in words:
        if word == EOS:
            pieces.append("\n")
            tight = True
            continue
        if not tight and not _CLOSING.fullmatch(word):
            pieces.append(" ")
        inner = word in _WITHIN.values()
        pieces.append(word[1] if inner else word)
        tight = inner or _OPENING.fullmatch(word) is not None
    return "".join(pieces)


def _written_characters(characters: Iterable[str]) -> str:
    return "".join("\n" if sign == EOS else sign for sign in characters)


@dataclass(frozen=True)
class Tokenizer:
    """One way to part a text.

    Attributes:
        name: in a run's manifest.
        unit: what a token is called.
        tokens: returns the tokens of a text, each with its character span.
        write: returns the text that tokens stand for.
    """

    name: str
    unit: str
    tokens: Callable[[str], list[Token]]
    write: Callable[[Iterable[str]], str]

    def added(self, words: Sequence[str]) -> str:
        """Return what the last of ``words`` adds to the text of those before it: how it is joined, two of them say."""
        near = words[-3:]
        return self.write(near)[len(self.write(near[:-1])) :]

    @property
    def of_characters(self) -> bool:
        """Whether a token is a character."""
        return self.unit == "character"


REVIEWS, WIKITEXT, CHARACTERS, TREEBANK = "reviews", "wikitext", "characters", "treebank"

TOKENIZERS = {
    one.name: one
    for one in (
        Tokenizer(REVIEWS, "word", tokenize, _written_words),
        Tokenizer(WIKITEXT, "word", wikitext_tokens, _written_words),
        Tokenizer(CHARACTERS, "character", character_tokens, _written_characters),
        Tokenizer(TREEBANK, "word", treebank_tokens, _written_words),
    )
}
