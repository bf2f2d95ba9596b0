"""How long do all of Google's 19,544 analogy questions take, here and in gensim?

68,000 words of 200 numbers, answers among the 30,000 commonest, as they are reported, and among all: gensim's
``evaluate_word_analogies`` with the same vectors and bound. Both must find the same questions right, but for a few
where two answers are equal to rounding.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import TypeVar

from benchmarks import Benchmark, Row
from benchmarks.peers.many_words import WORDS, in_gensim, many_words
from nlpviz.data.analogies import find_questions
from nlpviz.results.vectors import WordVectors
from nlpviz.word_vectors.questions import AMONG, read_questions, score

T = TypeVar("T")

ROUNDS = 3
RATIO = 0.1
ROUNDING = 0.001


def measure() -> Iterator[Row]:
    """Yield the time of all questions, for the 30,000 commonest words and for all."""
    path = find_questions()
    vectors = many_words()
    theirs = in_gensim(vectors)
    own = partial(_own, path, vectors)
    for among in (AMONG, WORDS):
        timed(partial(own, among))  # warms up
        ours, times = zip(*(timed(partial(own, among)) for _ in range(ROUNDS)), strict=True)
        gensims, peer = timed(partial(theirs.evaluate_word_analogies, str(path), restrict_vocab=among))
        if abs(ours[0] - gensims[0]) > ROUNDING:
            raise AssertionError(f"the accuracies differ: {ours[0]:.4f}, by gensim {gensims[0]:.4f}")
        what = f"all analogy questions, among {among:,} words × 200"
        bar = round(RATIO * peer, 3)
        yield Row(what, "s", times, "gensim's evaluate_word_analogies", (peer,), bar)


def _own(path: Path, vectors: WordVectors, among: int) -> float:
    """Return the accuracy."""
    return score(vectors, read_questions(path), among=among).total.accuracy


def timed(call: Callable[[], T]) -> tuple[T, float]:
    """Return what a call returns, and its seconds."""
    started = perf_counter()
    made = call()
    return made, perf_counter() - started


BENCHMARK = Benchmark(
    "word-questions", "How long do all analogy questions take, compared with gensim?", measure, "words"
)
