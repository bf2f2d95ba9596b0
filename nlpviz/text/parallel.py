"""Sentences of two languages: words and marks that can be put together again, case, and a vocabulary each side.

A source word is compared in lower case. A target word keeps its case and says with a joiner on which side no space
stands, so that ``["l'￭", "homme", "￭."]`` is ``"l'homme."`` again. A sentence's first word is written as it would be
inside one; the capital comes back when the words are put together.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import regex
from numpy.typing import NDArray

from nlpviz.text.vocabulary import EncodedText, Token, Vocabulary

if TYPE_CHECKING:
    from nlpviz.text.subwords import Subwords

JOINER = "￭"
"""On the side of a word where no space stands (OpenNMT's sign). In a typed text it is taken for a space."""
GOES_ON = JOINER * 2
"""At the end of a piece of a word that the next piece continues (:mod:`nlpviz.text.subwords`)."""
EOS = "</s>"
"""The target word that begins and ends a sentence; no text holds it, for the tokenizer parts it."""

_NEXT = "a"  # any letter: what may follow a text that breaks off
_ELISION = r"\p{L}[\p{L}\p{M}\p{N}]*['’](?=\p{L})"  # l'|homme: the article is a word of its own
_CLITIC = r"(?<=[\p{L}\p{M}])['’]\p{L}+"  # man|'s, geht|'s
_PATTERN = r"""
      \d+(?:[.,:]\d+)*                                # numbers
    | {apostrophe}
    | \p{{L}}[\p{{L}}\p{{M}}\p{{N}}]*
    | \.{{2,}} | \p{{RI}}{{1,2}}
    | [\s￭]+ | \p{{GCB=Prepend}} | \p{{Cs}}           # what \X may join with white space; half signs
    | \X                                              # any other sign
"""
_ELIDING, _OTHERS = (
    regex.compile(_PATTERN.format(apostrophe=apostrophe), regex.VERBOSE) for apostrophe in (_ELISION, _CLITIC)
)
_ELIDE = ("ca", "fr", "it")  # Catalan, French, Italian


def split(text: str, language: str) -> list[Token]:
    """Return the words and marks of ``text`` as they are written (in NFC), each with its character span.

    Args:
        text: of any length.
        language: by its code; of one that is not known words are parted as in English.
    """
    pattern = _ELIDING if language.partition("-")[0] in _ELIDE else _OTHERS
    tokens = []
    for match in pattern.finditer(text):
        piece = match[0]
        if not (piece.isspace() or JOINER in piece) and any(map(str.isprintable, piece)):
            tokens.append(Token(unicodedata.normalize("NFC", piece), match.start(), match.end()))
    return tokens


def source_tokens(text: str, language: str) -> list[Token]:
    """Return the tokens of a source sentence in the vocabulary's spelling: lower case, one kind of apostrophe."""
    return [Token(word.lower().replace("’", "'"), *span) for word, *span in split(text, language)]


def target_words(text: str, language: str) -> list[str]:
    """Return the words of a target sentence with their joiners; :func:`join` undoes it, but for white space."""
    tokens = split(text, language)
    words = [token.word for token in tokens]
    for position, (left, right) in enumerate(pairwise(tokens)):
        if left.end < right.start:
            continue
        if right.word[0].isalnum() and not left.word[-1].isalnum():
            words[position] += JOINER
        else:
            words[position + 1] = JOINER + words[position + 1]
    return words


def without_joiners(word: str) -> str:
    """Return a word as people read it, without joiners; ``"spazier·"`` for a piece that the next one continues."""
    return word.strip(JOINER) + "·" * word.endswith(GOES_ON)


def join(words: Iterable[str]) -> str:
    """Return the text that ``words`` spell: one space between two of them unless a joiner says otherwise."""
    return "".join(_spaced(words))


def _spaced(words: Iterable[str]) -> list[str]:
    """Return ``words`` without their joiners, each with the space before it where there is one."""
    pieces, glued = [], True
    for word in words:
        pieces.append(word.strip(JOINER) if glued or word.startswith(JOINER) else f" {word.strip(JOINER)}")
        glued = word.endswith(JOINER)
    return pieces


def written_spans(words: Sequence[str]) -> list[tuple[int, int]]:
    """Return where each of some target words stands in what :meth:`LanguagePair.written` makes of them all.

    The boundary, which is not written, stands nowhere: its span is empty.
    """
    spans, text = [], ""
    pieces = iter(_spaced(word for word in words if word != EOS))
    for word in words:
        text += "" if word == EOS else next(pieces)
        spans.append((len(text) - (0 if word == EOS else len(word.strip(JOINER))), len(text)))
    capital = capitalised(text)
    longer = len(capital) - len(text)  # ß becomes SS
    first = next((index for index, (one, other) in enumerate(zip(text, capital, strict=False)) if one != other), 0)
    return [(start + longer * (start > first), end + longer * (end > first)) for start, end in spans]


def capitalised(text: str) -> str:
    """Return ``text`` with its first letter as a capital; what begins with a number has none: ``"3 hommes"``."""
    position = next((position for position, sign in enumerate(text) if sign.isalnum()), 0)
    return text[:position] + text[position : position + 1].upper() + text[position + 1 :]


def truecased(words: Sequence[str], counts: Mapping[str, int]) -> list[str]:
    """Return ``words`` with the first one that has letters spelt as it is most often, by ``counts``, inside sentences.

    Lita, Ittycheriah, Roukos and Kambhatla (2003), *tRuEcasIng*, the unigram model. An unseen word stays as it is.
    """
    position = next((position for position, word in enumerate(words) if word.strip(JOINER)[:1].isalpha()), None)
    if position is None:
        return list(words)
    variants = dict.fromkeys((words[position], words[position].lower(), capitalised(words[position])))
    best = max(variants, key=lambda word: counts.get(word, 0))
    return [*words[:position], best, *words[position + 1 :]]


def inner_counts(sentences: Iterable[Sequence[str]]) -> Counter[str]:
    """Return how often each word stands in ``sentences`` elsewhere than first."""
    return Counter(word for words in sentences for word in words[1:])


@dataclass(frozen=True)
class LanguagePair:
    """Two languages with the words that a translator knows of each.

    Attributes:
        source_language: for example ``"en"``.
        target_language: for example ``"fr"``.
        source: the words that are read.
        target: the words that are written, :data:`EOS` among them.
        subwords: what makes pieces of words, where the vocabularies hold pieces.
    """

    source_language: str
    target_language: str
    source: Vocabulary
    target: Vocabulary
    subwords: Subwords | None = None

    @property
    def eos(self) -> int:
        """The id of the word that begins and ends a target sentence."""
        return self.target.id(EOS)

    def read(self, text: str, max_length: int) -> EncodedText:
        """Return ``text`` as a translator that reads at most ``max_length`` tokens sees it."""
        tokens = tuple(self.source_tokens(text))
        ids = self.source.ids(token.word for token in tokens[:max_length])
        return EncodedText(text=text, tokens=tokens, ids=ids, max_length=max_length)

    def source_tokens(self, text: str) -> list[Token]:
        """Return the tokens of a source text: words and marks, or their pieces."""
        tokens = source_tokens(text, self.source_language)
        return tokens if self.subwords is None else [piece for token in tokens for piece in self._parted(token)]

    def target_words(self, text: str) -> list[str]:
        """Return the words of a target text, or their pieces: the first word as it is spelt inside a sentence."""
        return self.pieces(self._truecased(target_words(text, self.target_language)))

    def pieces(self, words: Iterable[str]) -> list[str]:
        """Return the pieces of ``words``: the words themselves where the vocabularies hold words."""
        return list(words) if self.subwords is None else self.subwords.pieces(words)

    def prefix_words(self, text: str) -> list[str]:
        """Return the words with which a target text begins, where ``text`` may break off before a word is whole.

        ``"L'"`` ends in an elision, ``"Un T-"`` in a hyphen: they are taken for what they are before a letter, ``l'￭``
        and ``￭-￭``; the hyphen, or any other mark, only where it is unknown as it stands.
        """
        words = self._truecased(target_words(text, self.target_language))
        *whole, last = target_words(f"{text.rstrip()}{_NEXT}", self.target_language)
        before = self._truecased(whole)
        if last != _NEXT or not before or not self._knows(before[-1]):
            return self.pieces(words)
        elided = len(before) < len(words)
        return self.pieces(before if elided or not self._knows(words[-1]) else words)

    def _knows(self, word: str) -> bool:
        """Return whether the target vocabulary has a word, or all its pieces."""
        return all(piece in self.target for piece in self.pieces([word]))

    def _parted(self, token: Token) -> Iterator[Token]:
        """Yield the pieces of a token with their places in the text, by share where lower case is longer or shorter."""
        size, length, end = token.end - token.start, len(token.word), 0
        for piece in self.pieces([token.word]):
            start, end = end, end + len(piece.removesuffix(GOES_ON))
            yield Token(piece, token.start + start * size // length, token.start + end * size // length)

    def _truecased(self, words: Sequence[str]) -> list[str]:
        """Return ``words`` with the first one as the training sentences spell it most often inside."""
        first = words[:2]  # a quotation mark may stand before it
        variants = {variant for word in first for variant in (word, word.lower(), capitalised(word))}
        return truecased(words, {word: self._count(word) for word in variants})

    def _count(self, word: str) -> int:
        """Return how often a word occurs in training; for a word of several pieces, minus their number."""
        pieces = self.pieces([word])
        return int(self.target.counts[self.target.id(word)]) if len(pieces) == 1 else -len(pieces)

    def target_ids(self, text: str) -> NDArray[np.int64]:
        """Return the ids of a target text, without the boundary."""
        return self.target.ids(self.target_words(text))

    def written(self, words: Iterable[str]) -> str:
        """Return the text of target words, the boundary left out, with a capital at its beginning."""
        return capitalised(join(word for word in words if word != EOS))
