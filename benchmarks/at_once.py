"""What is there at once: the corpus opened again, a wrong spelling put right, a map that is cancelled.

The corpus is IMDB's three splits: read from the archive into an empty cache, then from the cache. Spellings are asked
of 70,000 made-up words of eight letters, beside ``difflib``. A t-SNE map of the documents of ``imdb-cnn`` can be
cancelled whenever it reports its progress: the longest time between two reports, beside the whole map.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from difflib import get_close_matches
from tempfile import TemporaryDirectory
from time import perf_counter

import numpy as np

from benchmarks import RUN, SEED, Benchmark, Row
from benchmarks.clock import alternate, in_ms
from nlpviz.analysis.projections import MapSettings, compute
from nlpviz.data import imdb
from nlpviz.results.vectors import WordVectors
from nlpviz.runs import open_run
from nlpviz.word_vectors.lookup import spellings

BAR = 1.0  # second, of each
ROUNDS, WORDS = 3, 70_000


def measure() -> Iterator[Row]:
    """Yield the seconds of the corpus, the milliseconds of a spelling, the seconds of an cancelled map."""
    yield _corpus()
    yield _spelling()
    yield _cancelled()


def _corpus() -> Row:
    """Return the time of the three splits from an empty cache and from a full one."""
    first, again = [], []
    kept = os.environ.get("NLPVIZ_CACHE")
    try:
        for _ in range(ROUNDS):
            with TemporaryDirectory() as folder:
                os.environ["NLPVIZ_CACHE"] = folder
                for taken in (first, again):
                    started = perf_counter()
                    for split in imdb.SPLITS:
                        imdb.read(split)
                    taken.append(perf_counter() - started)
    finally:
        os.environ.pop("NLPVIZ_CACHE")
        if kept is not None:
            os.environ["NLPVIZ_CACHE"] = kept
    return Row("opening IMDB from the cache, three splits", "s", tuple(again), "first opening", tuple(first), BAR)


def _spelling() -> Row:
    """Return the time in which words are found that are spelt nearly alike."""
    letters = np.random.default_rng(SEED).choice(list("abcdefghij"), size=(WORDS, 8))
    words = list(dict.fromkeys("".join(row) for row in letters))
    vectors = WordVectors.of("many", words, np.ones((len(words), 1), dtype=np.float32))
    typed = words[-1][1:]
    ours, theirs = alternate(ROUNDS, lambda: spellings(vectors, typed), lambda: get_close_matches(typed, words, 5))
    what = f"words with similar spelling, of {len(words):,}"
    return Row(what, "ms", in_ms(ours), "difflib.get_close_matches", in_ms(theirs), 1000 * BAR)


def _cancelled() -> Row:
    """Return the longest time between two reports of a map: raised in one of them, a wish to stop is heard."""
    run, longest, whole = open_run(RUN), [], []
    for _ in range(ROUNDS):
        reports = [perf_counter()]

        def told(_share: float, _doing: str, reports: list[float] = reports) -> None:
            reports.append(perf_counter())

        compute(run, MapSettings("tsne", 2, run.epochs[-1:]), told)
        longest.append(float(np.diff(reports).max()))
        whole.append(perf_counter() - reports[0])
    return Row("cancelling a t-SNE map, worst case", "s", tuple(longest), "computing the whole map", tuple(whole), BAR)


BENCHMARK = Benchmark(
    "at-once", "How fast are reopening a corpus, spelling suggestions and cancelling a map?", measure, "pages"
)
