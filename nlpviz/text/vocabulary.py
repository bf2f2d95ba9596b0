"""Tokens with their positions in the text as it was typed, and the vocabulary that numbers them.

The tokenizer keeps what carries sentiment: punctuation, emoticons, emoji, ratings such as ``7/10`` and
contractions such as ``don't``. Words are compared in lower case; the text itself is never changed.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
import regex
from numpy.typing import NDArray

PAD, UNKNOWN = 0, 1
SPECIALS = ("<pad>", "<unk>")
EOS = "<eos>"
"""Ends a line; of reviews, which have no lines, a review."""
SENTENCE = 1 << 20
"""A model that reads sentences takes ``id + sentence * SENTENCE`` for a word; no vocabulary has so many words."""

_TOKEN = regex.compile(
    r"""
      (?P<markup><[ ]*+(?:/[ ]*+)?[a-zA-Z][^<>]{0,40}>)  # markup such as <br />: no token, it parts two words
    | [<>]?[:;=][-o*']?(?:[)\](\[/\\|@*]+|[dDpP3])(?!\w)  # emoticons: :-) ;D =(
    | [xX]D+(?!\w) | <3+(?!\w)
    | \d+(?:[.,]\d+)*(?:/\d+(?:[.,]\d+)*)?(?:%|['’]?\p{L}{1,2}\b)?  # numbers, ratings: 7/10, 90%, 80's
    | \p{L}[\p{L}\p{M}\p{N}]*(?:['’]\p{L}[\p{L}\p{M}]*)*  # words and contractions: don't, l'âme
    | \.{2,} | !+ | \?+                               # marks that gain from repetition
    | \p{RI}{1,2}                                     # flags: in a long run of them \X takes quadratic time
    | \s+ | \p{GCB=Prepend} | \p{Cs}                  # what \X may join with white space; half signs
    | \X                                              # any other sign, emoji sequences whole
    """,
    regex.VERBOSE,
)


class Token(NamedTuple):
    """One token: the word as the vocabulary spells it, and its span ``text[start:end]``."""

    word: str
    start: int
    end: int

    @property
    def name(self) -> str:
        """The word as it is shown by itself."""
        return shown(self.word)


def shown(word: str) -> str:
    """Return a token as it is shown by itself: a line's end and a space would not be seen."""
    return {EOS: "↵", " ": "␣"}.get(word, word)


def tokenize(text: str) -> list[Token]:
    """Return the tokens of a text with their character spans.

    Words are converted to lower case. Contractions, ratings, emoticons and emoji are single tokens; white space and
    markup such as ``<br />`` are skipped. A sequence of identical punctuation marks is one token, shortened to three
    characters.

    Args:
        text: any text.

    Example:
        >>> from nlpviz.text.vocabulary import tokenize
        >>> [token.word for token in tokenize("Don't miss it!!!!! 9/10 :-)")]
        ["don't", 'miss', 'it', '!!!', '9/10', ':-)']
        >>> tokenize("So good")[1]
        Token(word='good', start=3, end=7)
    """
    return [Token(word, *match.span()) for match in _TOKEN.finditer(text) if (word := _spelt(match))]


def _spelt(match: regex.Match[str]) -> str:
    """Return the word that a piece of a text is, ``""`` if it belongs to no token; equal pieces are the same word."""
    piece = match[0]
    if match["markup"] is not None or piece.isspace() or not any(map(str.isprintable, piece)):
        return ""
    word = piece.lower() if piece.isascii() else unicodedata.normalize("NFC", piece.lower()).replace("’", "'")
    return word[:3] if len(word) > 3 and len(set(word)) == 1 and not word[0].isalnum() else word


def words_of(texts: Iterable[str]) -> Iterator[list[str]]:
    """Yield the words of the tokens of each text: of many texts, for each piece is spelt once."""
    known: dict[str, str] = {}
    for text in texts:
        words = []
        for match in _TOKEN.finditer(text):
            word = known.get(match[0])
            if word is None:
                word = known[match[0]] = _spelt(match)
            if word:
                words.append(word)
        yield words


def shortened(word: str, letters: int = 40) -> str:
    """Return ``word`` as it is shown, in so many ``letters`` at most: an unknown one is as long as it was typed."""
    return word if len(word) <= letters else f"{word[: letters - 1]}…"


class Seen(StrEnum):
    """What became of one token on its way into a model."""

    KNOWN = "known"
    UNKNOWN = "unknown"
    CUT = "cut off"


@dataclass(frozen=True)
class EncodedText:
    """A text as a model saw it: its tokens, their ids, and what was lost on the way.

    Attributes:
        text: the text as it was typed.
        tokens: every token of it, those beyond the maximum length too.
        ids: what the model reads, int64 of shape (T,), T <= ``max_length``; no padding.
        max_length: how many tokens the model reads at most.
        sentences: the number of each read token's sentence, int64 of shape (T,), from 0; None where the model reads
            no sentences.
    """

    text: str
    tokens: tuple[Token, ...]
    ids: NDArray[np.int64]
    max_length: int
    sentences: NDArray[np.int64] | None = None

    @property
    def row(self) -> NDArray[np.int64]:
        """What goes into the model, (T,): the ids, with the numbers of the sentences where it reads sentences."""
        return self.ids if self.sentences is None else self.ids + self.sentences * SENTENCE

    @property
    def read(self) -> tuple[Token, ...]:
        """The tokens that the model read, one for each id."""
        return self.tokens[: len(self.ids)]

    @property
    def seen(self) -> tuple[Seen, ...]:
        """What became of each token of ``tokens``."""
        read = (Seen.UNKNOWN if token_id == UNKNOWN else Seen.KNOWN for token_id in self.ids)
        return (*read, *[Seen.CUT] * (len(self.tokens) - len(self.ids)))

    @property
    def padding(self) -> int:
        """How many padding ids fill the text up to the maximum length; the model never lets them decide."""
        return self.max_length - len(self.ids)

    def unpadded(self) -> EncodedText:
        """Return the text as a model reads it that needs no padding."""
        return replace(self, max_length=len(self.ids))


class Vocabulary:
    """Words ranked by frequency, most frequent first, after the ids of padding (0) and unknown (1)."""

    def __init__(
        self, words: Sequence[str], counts: Sequence[int], tokens: Callable[[str], list[Token]] = tokenize
    ) -> None:
        """Number ``words``, which come with their frequencies in the training texts.

        Args:
            words: the commonest one first.
            counts: how often each of them occurs.
            tokens: parts a text, where it is another tokenizer than that of reviews.

        Raises:
            ValueError: if a word stands twice, the lengths differ or the counts are not in descending order.
        """
        if len(words) != len(counts) or len(set(words)) != len(words):
            raise ValueError("a vocabulary needs one count per word, and each word only once")
        if any(later > earlier for earlier, later in pairwise(counts)):
            raise ValueError("a vocabulary must be sorted by frequency, most frequent word first")
        self.words: tuple[str, ...] = (*SPECIALS, *words)
        self.counts = np.array([0, 0, *counts], dtype=np.int64)
        self.counts.setflags(write=False)
        self.tokens = tokens
        self._ids = {word: token_id for token_id, word in enumerate(self.words) if token_id >= len(SPECIALS)}

    @classmethod
    def count(cls, texts: Iterable[Iterable[str]], size: int, min_count: int = 2) -> Vocabulary:
        """Return a vocabulary of at most ``size`` ids: the most frequent words of ``texts``, lists of words.

        Words of equal frequency are ranked alphabetically, so that the order of the texts changes nothing.
        """
        return cls.ranked(Counter(word for words in texts for word in words), size, min_count)

    @classmethod
    def ranked(cls, counts: Mapping[str, int], size: int, min_count: int = 2) -> Vocabulary:
        """Return the vocabulary that :meth:`count` returns of texts in which words stand so often."""
        ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[: size - len(SPECIALS)]
        kept = [(word, count) for word, count in ranked if count >= min_count]
        return cls([word for word, _ in kept], [count for _, count in kept])

    def __len__(self) -> int:
        """How many ids there are, the two special ones included."""
        return len(self.words)

    def __contains__(self, word: str) -> bool:
        """Whether ``word``, in the vocabulary's spelling, has an id of its own."""
        return word in self._ids

    def id(self, word: str) -> int:
        """Return the id of ``word``, or that of the unknown word."""
        return self._ids.get(word, UNKNOWN)

    def ids(self, words: Iterable[str]) -> NDArray[np.int64]:
        """Return the ids of ``words``, which are in the vocabulary's spelling; shape (T,)."""
        get = self._ids.get
        return np.fromiter((get(word, UNKNOWN) for word in words), dtype=np.int64)

    def encode(self, text: str, max_length: int) -> EncodedText:
        """Return ``text`` as a model that reads at most ``max_length`` tokens sees it."""
        tokens = tuple(self.tokens(text))
        return EncodedText(text, tokens, self.ids(token.word for token in tokens[:max_length]), max_length)

    def save(self, path: Path) -> None:
        """Write one ``word<TAB>count`` a line, the special ids left out."""
        pairs = zip(self.words[len(SPECIALS) :], self.counts[len(SPECIALS) :], strict=True)
        path.write_text("".join(f"{word}\t{count}\n" for word, count in pairs), encoding="utf-8", newline="\n")

    @classmethod
    def load(cls, path: Path, tokens: Callable[[str], list[Token]] = tokenize) -> Vocabulary:
        """Read what :meth:`save` wrote, for texts that ``tokens`` parts.

        Raises:
            ValueError: if a line is not a word, a tab and a count.
        """
        words: list[str] = []  # filled line by line: a list of pairs would take three times the memory
        counts: list[int] = []
        with path.open(encoding="utf-8", newline="\n") as lines:
            for line in lines:
                word, tab, count = line.removesuffix("\n").rpartition("\t")
                words.append(word)
                counts.append(int(count) if tab and count.isdecimal() else -1)
        if min(counts, default=-1) < 0:
            raise ValueError(f"{path.name} must contain one word, a tab and a count per line")
        return cls(words, counts, tokens)
