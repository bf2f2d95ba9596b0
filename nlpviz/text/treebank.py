"""Words as the Penn Treebank parts them, and what they stand for where other texts are parted in another way.

``don't`` is two words, ``do`` and ``n't``; ``film's`` is ``film`` and ``'s``; a word with hyphens is one. Marcus,
Santorini and Marcinkiewicz (1993); the rules are those of the treebank's own tokenizer that matter in film reviews.
"""

from __future__ import annotations

from collections.abc import Sequence

import regex

from nlpviz.text.vocabulary import Token, tokenize

_TOKEN = regex.compile(
    r"""
      \d+(?:[.,:/]\d+)*(?:['’]?\p{L}+|%)?                   # numbers, ratings
    | \p{L}[\p{L}\p{M}\p{N}]*?(?=n['’]t\b)                  # do|n't
    | n['’]t\b | ['’](?:s|re|ve|ll|d|m)\b
    | (?:Mr|Mrs|Ms|Dr|St|Jr|Sr|vs)\.(?=\s) | (?:\p{L}\.){2,}
    | \p{L}[\p{L}\p{M}\p{N}]*(?:[-&./]\p{L}[\p{L}\p{M}\p{N}]*)*(?:['’](?!(?:s|re|ve|ll|d|m)\b)\p{L}+)*
    | \.{2,} | -{2,} | \s+
    | \X
    """,
    regex.VERBOSE | regex.IGNORECASE,
)
_STANDS_FOR = {"n't": "not", "'re": "are", "'ve": "have", "'ll": "will", "'d": "would", "'m": "am", "wo": "will"}
_STANDS_FOR |= {"ca": "can", "--": "-"}


def treebank_tokens(text: str) -> list[Token]:
    """Return the words of ``text`` as a treebank has them, in lower case, each with its character span."""
    tokens = []
    for match in _TOKEN.finditer(text):
        piece = match[0]
        if not piece.isspace() and any(map(str.isprintable, piece)):
            tokens.append(Token(spelt(piece), match.start(), match.end()))
    return tokens


def treebank_words(text: str) -> list[str]:
    """Return the words of ``text`` as a treebank parts them, as they were typed; markers of a tree among them stay."""
    return [text[token.start : token.end] for token in treebank_tokens(text)]


def spelt(word: str) -> str:
    """Return a word as a vocabulary of treebank words spells it."""
    return word.lower().replace("’", "'").replace("“", '"').replace("”", '"')


def parts_of(word: str) -> Sequence[str]:
    """Return the words of ordinary texts that a treebank's word is made of, or stands for."""
    if word in _STANDS_FOR:
        return (_STANDS_FOR[word],)
    return [token.word for token in tokenize(word)]
