"""How long do the neighbours of a word and an analogy take, here and in gensim?

68,000 words of 200 numbers, ten answers each, both from the same vectors in the same process: gensim's ``most_similar``
with its lengths computed beforehand. Several words and analogies take turns. The answers are compared first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import cycle
from statistics import median
from typing import TypeVar

from gensim.models import KeyedVectors

from benchmarks import Benchmark, Row
from benchmarks.clock import alternate, in_ms
from benchmarks.peers.many_words import in_gensim, many_words
from nlpviz.results.vectors import WordVectors
from nlpviz.word_vectors.analogies import solve
from nlpviz.word_vectors.expressions import parse
from nlpviz.word_vectors.neighbours import neighbours

A = TypeVar("A")
V = TypeVar("V")

ROUNDS, REPEAT = 15, 20
RATIO = 0.8
ASKED = ("paris", "bike", "cat", "fortress", "powerful")
ANALOGIES = (("king", "man", "woman"), ("paris", "france", "italy"), ("walking", "walk", "swim"))


def measure() -> Iterator[Row]:
    """Yield the time of one query, then of one analogy."""
    vectors = many_words()
    theirs = in_gensim(vectors)
    words = [word for word in ASKED if word in vectors.positions]
    analogies = [three for three in ANALOGIES if all(word in vectors.positions for word in three)]
    for what, own, peer in (
        ("neighbours of a word, 68,000 × 200", in_turn(words, vectors, ask), in_turn(words, theirs, ask_gensim)),
        ("one analogy, 68,000 × 200", in_turn(analogies, vectors, infer), in_turn(analogies, theirs, infer_gensim)),
    ):
        if own() != peer():
            raise AssertionError(f"{what}: the answers differ")
        ours, gensims = (in_ms(taken) for taken in alternate(ROUNDS, own, peer, repeat=REPEAT))
        yield Row(what, "ms", ours, "gensim's most_similar", gensims, round(RATIO * median(gensims), 3))


def in_turn(queries: list[A], vectors: V, answer: Callable[[V, A], list[str]]) -> Callable[[], list[str]]:
    """Return a call that answers the next question each time."""
    turns = cycle(queries)
    return lambda: answer(vectors, next(turns))


def ask(vectors: WordVectors, word: str) -> list[str]:
    """Return the neighbours of a word."""
    return [one.word for one in neighbours(vectors, word).neighbours]


def ask_gensim(theirs: KeyedVectors, word: str) -> list[str]:
    """Return gensim's neighbours of a word."""
    return [result for result, _ in theirs.most_similar(word)]


def infer(vectors: WordVectors, analogy: tuple[str, str, str]) -> list[str]:
    """Return the answers to a typed expression."""
    first, taken, added = analogy
    return [one.word for one in solve(vectors, parse(vectors, f"{first} - {taken} + {added}")).neighbours]


def infer_gensim(theirs: KeyedVectors, analogy: tuple[str, str, str]) -> list[str]:
    """Return gensim's answers to the same."""
    first, taken, added = analogy
    return [result for result, _ in theirs.most_similar(positive=[first, added], negative=[taken])]


BENCHMARK = Benchmark(
    "word-queries", "How long do neighbours and an analogy take, compared with gensim?", measure, "words"
)
