"""Files of word pairs that people scored for similarity, and how word vectors rank them.

The usual measure: Spearman's rank correlation between people's scores and cosines (Finkelstein et al. 2002, *Placing
Search in Context*; Hill, Reichart and Korhonen 2015, *SimLex-999*), over the pairs whose words are both known.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import isfinite, nan
from pathlib import Path
from typing import NamedTuple

import numpy as np

from nlpviz.results.vectors import WordVectors
from nlpviz.results.word_queries import PairScores
from nlpviz.stats.rank_correlation import rank_correlation
from nlpviz.word_vectors import WordVectorsError
from nlpviz.word_vectors.lookup import find, shown
from nlpviz.word_vectors.questions import lines_of

_LARGEST = 64 << 20


class PairsError(WordVectorsError):
    """A file without scored word pairs; the message names the line."""


class Pair(NamedTuple):
    """Two words and how similar people found them, on the file's own scale."""

    first: str
    second: str
    score: float


@dataclass(frozen=True)
class Pairs:
    """The scored pairs of a file called ``name``."""

    name: str
    pairs: tuple[Pair, ...]


def read_pairs(path: Path) -> Pairs:
    """Return the pairs of a file of ``word word score`` lines, separated by tabs, commas, semicolons or spaces.

    Empty lines, those that begin with ``#`` or ``//`` and a first line of titles are skipped; what follows the score is
    not read.

    Raises:
        PairsError: if it cannot be read, holds no pair, or a line is none.
    """
    pairs: list[Pair] = []
    titles = False
    for number, line in lines_of(path, _LARGEST, PairsError):
        if line.startswith("#"):
            continue
        first, second, *rest = [*(field.strip() for field in _fields(line)), "", ""][: max(3, len(_fields(line)))]
        score = _number(rest[0])
        if score is None and not pairs and not titles and second:
            titles = True
            continue
        if score is None or not first or not second:
            raise PairsError(f"Line {number} of {path.name} is {shown(line)}, not two words and a number.")
        pairs.append(Pair(first, second, score))
    if not pairs:
        raise PairsError(f"{path.name} contains no pairs.")
    return Pairs(path.name, tuple(pairs))


def score_pairs(vectors: WordVectors, pairs: Pairs) -> PairScores:
    """Return how vectors rank the pairs; pairs of equal scores share the mean of their ranks."""
    rows = [(find(vectors, pair.first), find(vectors, pair.second)) for pair in pairs.pairs]
    known = [position for position, (first, second) in enumerate(rows) if first is not None and second is not None]
    people = np.array([pairs.pairs[position].score for position in known])
    ours = np.array(
        [vectors.directions[rows[position][0]] @ vectors.directions[rows[position][1]] for position in known]
    )
    rho = rank_correlation(people, ours)
    return PairScores(vectors.source, len(rows), len(known), nan if rho is None else rho)


def _fields(line: str) -> list[str]:
    """Return the fields of a line, parted by the strongest separator that parts it in three."""
    for separator in ("\t", ";", ","):
        if line.count(separator) >= 2:
            return line.split(separator)
    return re.split(r"[\s,;]+", line)


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if isfinite(value) else None
