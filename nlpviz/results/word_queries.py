"""Queries on word vectors: neighbours, analogies, planes, similarities. Plain data for figures and tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Neighbour(NamedTuple):
    """One word near a query.

    Attributes:
        word: the word.
        position: its row; where counts are known, its rank by frequency, from 0.
        count: its occurrences in the corpus, or None where nobody wrote them down.
        score: cosine similarity, or what the method that found it calls its score.
    """

    word: str
    position: int
    count: int | None  # type: ignore[assignment]  # hides a method of tuples that nobody needs here
    score: float


@dataclass(frozen=True)
class Neighbours:
    """The words nearest to one word.

    Attributes:
        source: of the vectors.
        word: as the vectors spell it.
        position: its row.
        count: its occurrences, or None.
        result: by cosine similarity, nearest first; the word itself left out.
    """

    source: str
    word: str
    position: int
    count: int | None
    neighbours: tuple[Neighbour, ...]


class Term(NamedTuple):
    """One word of an expression with its sign, 1 or -1; ``typed`` is how the person wrote it."""

    sign: int
    word: str
    typed: str


@dataclass(frozen=True)
class Expression:
    """A signed sum of known words, such as ``king - man + woman``."""

    terms: tuple[Term, ...]

    def __str__(self) -> str:
        """Return it as people write it."""
        text = " ".join(f"{'+' if term.sign > 0 else '-'} {term.word}" for term in self.terms)
        return text.removeprefix("+ ")

    @property
    def proportion(self) -> str:
        """The expression as ``a : b :: c`` where it is ``b - a + c``, else as :func:`str` writes it."""
        if [term.sign for term in self.terms] != [1, -1, 1]:
            return str(self)
        plus, minus, other = (term.word for term in self.terms)
        return f"{minus} : {plus} :: {other}"


@dataclass(frozen=True)
class Analogy:
    """The words nearest to an expression.

    Attributes:
        source: of the vectors.
        expression: what was asked.
        method: ``"3CosAdd"`` or ``"3CosMul"``.
        excludes: whether the words of the expression were left out of the answers.
        result: the best answers, best first.
        expected: the word that was hoped for, or None.
        rank: of the expected word among all answers, from 1; None where none was named, or it was left out.
    """

    source: str
    expression: Expression
    method: str
    excludes: bool
    neighbours: tuple[Neighbour, ...]
    expected: str | None = None
    rank: int | None = None


class SectionScore(NamedTuple):
    """One section of an analogy file: how many questions it asks, how many are known, how many came out right."""

    section: str
    asked: int
    known: int
    right: int

    @property
    def accuracy(self) -> float:
        """The share of the known questions that came out right; not a number where none is known."""
        return self.right / self.known if self.known else float("nan")


@dataclass(frozen=True)
class AnalogyScores:
    """The answers to a file of analogy questions.

    Attributes:
        source: of the vectors.
        method: ``"3CosAdd"`` or ``"3CosMul"``.
        sections: in the file's order.
        among: answers were sought among so many commonest words.
    """

    source: str
    method: str
    sections: tuple[SectionScore, ...]
    among: int

    @property
    def total(self) -> SectionScore:
        """All sections together."""
        sums = (sum(column) for column in list(zip(*self.sections, strict=True))[1:]) if self.sections else (0, 0, 0)
        return SectionScore("all", *sums)


@dataclass(frozen=True)
class PairScores:
    """People's similarity scores of word pairs beside the vectors' cosines.

    Attributes:
        source: of the vectors.
        pairs: how many pairs the file holds.
        known: how many have two known words.
        rho: Spearman's rank correlation over the known ones; not a number where one of the two has no order.
    """

    source: str
    pairs: int
    known: int
    rho: float


@dataclass(frozen=True)
class Plane:
    """Words in the plane that holds them best: the first two principal components of their directions.

    Attributes:
        words: of the expression, then the answer.
        signs: of each word in the expression; 0 for the answer and for the target point.
        coordinates: (n, 2).
        share: of the words' variance that lies in the plane, 0 to 1.
        target: (2,), where the expression itself comes out.
    """

    words: tuple[str, ...]
    signs: tuple[int, ...]
    coordinates: NDArray[np.float64]
    share: float
    target: NDArray[np.float64]


@dataclass(frozen=True)
class SimilarityMatrix:
    """Cosine similarities of words with each other.

    Attributes:
        source: of the vectors.
        words: in the order of an average-linkage clustering, so that similar ones stand together.
        cosines: (n, n), in that order.
    """

    source: str
    words: tuple[str, ...]
    cosines: NDArray[np.float32]


@dataclass(frozen=True)
class Axes:
    """Words along two typed axes.

    Attributes:
        source: of the vectors.
        words: n of them.
        x: (n,), cosine of each word with the first axis.
        y: (n,), with the second.
        names: what the two axes are called.
    """

    source: str
    words: tuple[str, ...]
    x: NDArray[np.float32]
    y: NDArray[np.float32]
    names: tuple[str, str]
