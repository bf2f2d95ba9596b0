"""How long do an explanation and the regions of a text take from a cold shell?

``python -m nlpviz explain`` starts Python, imports torch, checks the run's files against their hashes, loads the
weights and explains; ``regions`` reads how often n-grams stood in training as well. The peer is the floor under all of
that: Python with torch imported. Files are in the system's cache after the first, uncounted round.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

from benchmarks import ROOT, RUN, Benchmark, Row
from benchmarks.clock import alternate

ROUNDS = 7
BAR = 3.0  # seconds
EXPLAIN = ("-m", "nlpviz", "explain", RUN, "--text", "not bad, quite good", "--json")
REGIONS = ("-m", "nlpviz", "regions", RUN, "--text", "don't waste your money on this", "--json")


def measure() -> Iterator[Row]:
    """Yield the time of each whole command."""
    explained, regions, floor = alternate(
        ROUNDS, lambda: _python(*EXPLAIN), lambda: _python(*REGIONS), lambda: _python("-c", "import torch")
    )
    yield Row("one explanation, from a cold shell", "s", explained, "Python with torch imported", floor, BAR)
    yield Row("the regions of one text, from a cold shell", "s", regions, "Python with torch imported", floor, BAR)


def _python(*arguments: str) -> None:
    subprocess.run([sys.executable, *arguments], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)


BENCHMARK = Benchmark(
    "explain-cold", "How long do an explanation and a text's regions take from a cold shell?", measure, "attribution"
)
