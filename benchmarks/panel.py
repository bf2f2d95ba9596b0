"""How long do all attribution methods together take on a review of 400 tokens, and when is the first value shown?

What the view Methods compared computes: the best and the worst order of ten groups of words, every method that can
explain the network, and where each stands between the two orders. The page draws the methods that are done; the last
one is there within the bar, on one thread.
"""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter

from benchmarks import Benchmark, Row
from benchmarks.saliency import TOKENS, one_thread, random_review
from nlpviz.analysis.attribution import explain, methods_for
from nlpviz.analysis.attribution.compare_methods import step_by_step
from nlpviz.runs import TrainedModel, open_run

RUNS, ROUNDS, BAR = ("imdb-cnn", "imdb-gru"), 3, 3.0  # s


def measure() -> Iterator[Row]:
    """Yield the seconds of the whole panel beside those until its first values, for each network."""
    text = random_review().text
    with one_thread():
        for name in RUNS:
            trained = open_run(name).load()
            _times(trained, text)  # warms up
            first, whole = zip(*(_times(trained, text) for _ in range(ROUNDS)), strict=True)
            what = f"all {len(methods_for(trained.run))} methods, {trained.run.title}, {TOKENS} tokens"
            yield Row(what, "s", whole, "until the first values appear", first, BAR)


def _times(trained: TrainedModel, text: str) -> tuple[float, float]:
    """Return the seconds until the first values appear, and until all are."""
    started = perf_counter()
    steps = step_by_step(trained, list(methods_for(trained.run)), lambda name: explain(trained, text, name))
    times = [perf_counter() - started for _ in steps]
    return times[0], times[-1]


BENCHMARK = Benchmark(
    "panel", "How long do all attribution methods take on a review of 400 tokens?", measure, "attribution"
)
