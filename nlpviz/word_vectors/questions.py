"""Files of analogy questions in Google's format, and how many of them word vectors answer correctly.

Mikolov, Chen, Corrado and Dean (2013), *Efficient Estimation of Word Representations in Vector Space*, section 4.1:
``: section`` lines, then ``a b c d`` lines, each the question a : b :: c : ? whose answer is d. As everywhere, words
are compared in lower case, the three words of a question are no answer to it, and questions with a word beyond the
commonest are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from nlpviz.results.vectors import WordVectors
from nlpviz.results.word_queries import AnalogyScores, SectionScore
from nlpviz.word_vectors import WordVectorsError
from nlpviz.word_vectors.analogies import ADD
from nlpviz.word_vectors.answers import Rows, right
from nlpviz.word_vectors.lookup import shown

AMONG = 30_000
"""Answers are sought among so many commonest words, as in word2vec's own ``compute-accuracy``."""
_LARGEST = 64 << 20


class QuestionsError(WordVectorsError):
    """A file without analogy questions; the message names the line."""


class Question(NamedTuple):
    """``a`` is to ``b`` as ``c`` is to ``d``."""

    a: str
    b: str
    c: str
    d: str


@dataclass(frozen=True)
class Questions:
    """The analogy questions of a file.

    Attributes:
        name: of the file.
        sections: name -> its questions, in the file's order.
    """

    name: str
    sections: Mapping[str, tuple[Question, ...]]

    def __len__(self) -> int:
        """Return how many questions there are."""
        return sum(map(len, self.sections.values()))


def read_questions(path: Path) -> Questions:
    """Return the questions of a file in Google's format; empty lines and those that begin with ``//`` are skipped.

    Questions before any section line belong to a section called like the file.

    Raises:
        QuestionsError: if it cannot be read, holds no question, or a line is neither a section nor four words.
    """
    sections: dict[str, list[Question]] = {}
    section = path.stem
    for number, line in lines_of(path, _LARGEST, QuestionsError):
        if line.startswith(":"):
            section = " ".join(line[1:].split())
            if not section:
                raise QuestionsError(f"Line {number} of {path.name} has no section name after the colon.")
            sections.setdefault(section, [])
            continue
        words = line.split()
        if len(words) != 4:
            raise QuestionsError(
                f"Line {number} of {path.name} is {shown(line)}: a question needs four words, not {len(words)}."
            )
        sections.setdefault(section, []).append(Question(*words))
    if not any(sections.values()):
        raise QuestionsError(f"{path.name} contains no questions.")
    return Questions(path.name, {name: tuple(some) for name, some in sections.items()})


def lines_of(path: Path, largest: int, error: type[WordVectorsError]) -> Iterator[tuple[int, str]]:
    """Yield the non-empty lines of a small text file, without comments, with their numbers from 1.

    Raises:
        WordVectorsError: of the type ``error``, if it cannot be read as UTF-8 text or is larger than ``largest`` bytes.
    """
    try:
        if path.stat().st_size > largest:
            raise error(f"{path.name} is larger than the limit of {largest >> 20} MiB.")
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError, ValueError) as problem:
        if isinstance(problem, error):
            raise
        raise error(f"{path} cannot be read as UTF-8 text ({type(problem).__name__}).") from None
    for number, line in enumerate(text.split("\n"), start=1):
        line = line.strip()
        if line and not line.startswith("//"):
            yield number, line


def score(
    vectors: WordVectors,
    questions: Questions,
    *,
    method: str = ADD,
    among: int = AMONG,
    exclude: bool = True,
) -> AnalogyScores:
    """Return how many questions of each section are answered correctly.

    Args:
        vectors: that are asked.
        questions: from :func:`read_questions`.
        method: one of :data:`nlpviz.word_vectors.analogies.METHODS`.
        among: a question is known if its four words are among so many first words, and one of those is the answer. Of
            words that differ in their case alone the first one counts.
        exclude: whether the three words of a question are no answers to it.

    Raises:
        ValueError: if there is no such method.
    """
    known = known_rows(vectors, questions, among)
    positions = _first_spellings(vectors, among)
    every = [rows for section in known.values() for rows in section]
    came_out = iter(right(vectors, every, list(positions.values()), method=method, exclude=exclude))
    sections = tuple(
        SectionScore(name, len(questions.sections[name]), len(rows), sum(bool(next(came_out)) for _ in rows))
        for name, rows in known.items()
    )
    return AnalogyScores(vectors.source, method, sections, among)


def known_rows(vectors: WordVectors, questions: Questions, among: int = AMONG) -> dict[str, list[Rows]]:
    """Return the rows of the words of each known question: section -> (a, b, c, d)."""
    positions = _first_spellings(vectors, among)
    return {
        name: [rows for question in asked if (rows := _rows(positions, question)) is not None]
        for name, asked in questions.sections.items()
    }


def _rows(positions: Mapping[str, int], question: Sequence[str]) -> Rows | None:
    """Return the rows of a question's words, or None if one is not known."""
    a, b, c, d = (positions.get(word.lower()) for word in question)
    return None if a is None or b is None or c is None or d is None else (a, b, c, d)


def _first_spellings(vectors: WordVectors, among: int) -> dict[str, int]:
    """Return the row of each of the first words in lower case; of several spellings the first."""
    positions: dict[str, int] = {}
    for row, word in enumerate(vectors.words[:among]):
        positions.setdefault(word.lower(), row)
    return positions
