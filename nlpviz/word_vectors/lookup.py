"""From the typed word to a word of the vocabulary; for an unknown word, the nearest spellings."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from itertools import islice

from nlpviz.results.vectors import WordVectors
from nlpviz.word_vectors import WordVectorsError

LONGEST = 100
"""Characters: nothing longer is a word."""
_SHOWN = 40
_SHORTEST, _LONG = 3, 8  # letters: with two, everything would be near; in a long word two may be wrong


class UnknownWord(WordVectorsError):  # noqa: N818 (its name says what is wrong)
    """A word that the vectors do not know; the message is one sentence with the nearest spellings.

    Attributes:
        typed: what was typed.
        spellings: the nearest words that are known, the nearest first.
    """

    def __init__(self, typed: str, known: int, spellings: tuple[str, ...]) -> None:
        """Say so."""
        self.typed, self.spellings = typed, spellings
        near = f"; did you mean {listed_or(spellings)}?" if spellings else "; no similar spelling was found."
        unknown = f"{shown(typed)} is not among the {known:,} words{near}"
        super().__init__(unknown if typed else "Type a word first.")


def find(vectors: WordVectors, typed: str) -> int | None:
    """Return the row of the word that was typed, or None.

    The first of these that is known: as it was typed, in lower case, with a capital first letter, in capitals; then the
    same in Unicode's composed form with a straight apostrophe or a typographic one; then spaces and underscores
    exchanged.
    """
    typed = typed.strip()
    if not typed or len(typed) > LONGEST:
        return None
    return next((vectors.positions[word] for word in _forms(typed) if word in vectors.positions), None)


def index_of(vectors: WordVectors, typed: str) -> int:
    """Return the row of the word that was typed.

    Raises:
        UnknownWord: if it is not known.
    """
    result = find(vectors, typed)
    if result is None:
        raise UnknownWord(typed.strip(), len(vectors), spellings(vectors, typed))
    return result


def spellings(vectors: WordVectors, typed: str, count: int = 5) -> tuple[str, ...]:
    """Return at most ``count`` known words that are spelt like ``typed``: the nearest first, then the commonest.

    Insertions, deletions, replacements and exchanges of neighbouring letters are counted: a word of three letters may
    have one, a word of eight or more two.
    """
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    typed = next(_composed(typed.strip().lower()))
    if len(typed) > LONGEST:
        return ()
    most = 0 if len(typed) < _SHORTEST else 1 if len(typed) < _LONG else 2
    near = process.extract(typed, vectors.words, scorer=OSA.distance, score_cutoff=most, limit=count) if most else []
    return tuple(word for word, _, _ in near)


def prefix(vectors: WordVectors, typed: str, count: int) -> tuple[str, ...]:
    """Return the first ``count`` words that begin with ``typed``, whatever their case: the commonest first."""
    start = next(_composed(typed.strip().lower()))
    return tuple(islice((word for word in vectors.words if word.lower().startswith(start)), count))


def shown(typed: str) -> str:
    """Return the typed text in quotation marks, shortened if it is long, and without invisible characters."""
    visible = "".join(sign if sign.isprintable() else " " for sign in typed[: _SHOWN + 1])
    return f"'{visible}'" if len(visible) <= _SHOWN else f"'{visible[:_SHOWN]}…'"


def listed_or(words: tuple[str, ...]) -> str:
    """Return ``"a, b or c"``."""
    return " or ".join(part for part in (", ".join(words[:-1]), words[-1]) if part)


def _forms(typed: str) -> Iterator[str]:
    """Yield the spellings under which a word is looked for, the most faithful first."""
    for written in (typed, typed.replace(" ", "_"), typed.replace("_", " ")):
        for cased in (written, written.lower(), written[:1].upper() + written[1:], written.title(), written.upper()):
            yield cased
            yield from _composed(cased)


def _composed(word: str) -> Iterator[str]:
    """Yield a word in Unicode's form C with straight apostrophes, then with typographic ones."""
    straight = unicodedata.normalize("NFC", word).replace("’", "'")
    yield straight
    yield straight.replace("'", "’")
