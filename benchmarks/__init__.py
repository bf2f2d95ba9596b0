"""Benchmarks: one file a question, each measured against a peer in the same run.

``python -m benchmarks`` runs all of them, ``python -m benchmarks saliency`` one. A module of this folder that defines
a constant ``BENCHMARK`` of type :class:`Benchmark` is found by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles

from nlpviz.discovery import discover

ROOT = Path(__file__).resolve().parents[1]
RUN = "imdb-cnn"
SEED = 0

SUBJECTS = (
    "pages",
    "documents",
    "attribution",
    "attention",
    "translation",
    "captions",
    "words",
    "language",
    "training",
)
"""What benchmarks are about: all pages, then the subjects of the dashboard, in the order in which they are reported."""


@dataclass(frozen=True)
class Row:
    """One thing that was measured, several times if it is a time, and its peer in the same run.

    Attributes:
        what: was measured.
        unit: ``"s"``, ``"ms"``, ``"MB"``, or ``"per word"`` of a perplexity.
        samples: each time that it took.
        peer: what it is compared with.
        peer_samples: each time that the peer took.
        bar: what must not be exceeded, in the unit; None where no bar was set.
        percentile: of the samples that is reported and held against the bar; 50 is the median.
    """

    what: str
    unit: str
    samples: tuple[float, ...]
    peer: str
    peer_samples: tuple[float, ...]
    bar: float | None = None
    percentile: int = 50

    @property
    def value(self) -> float:
        """The percentile of the samples."""
        return _percentile(self.samples, self.percentile)

    @property
    def peer_value(self) -> float:
        """The same percentile of the peer's samples."""
        return _percentile(self.peer_samples, self.percentile)

    @property
    def ratio(self) -> float | None:
        """Ours over the peer's: below 1 we are faster, or need less. None where one of them is not above zero."""
        return self.value / self.peer_value if min(self.value, self.peer_value) > 0 else None

    @property
    def met(self) -> bool:
        """Whether the bar is kept; true where there is none."""
        return self.bar is None or self.value <= self.bar


@dataclass(frozen=True)
class Benchmark:
    """What a module of this folder exports as ``BENCHMARK``.

    Attributes:
        name: on the command line.
        question: that it answers.
        measure: takes the measurements.
        subject: one of ``SUBJECTS``.
    """

    name: str
    question: str
    measure: Callable[[], Iterable[Row]]
    subject: str


def benchmarks() -> dict[str, Benchmark]:
    """Return every benchmark by name, in the order of the subjects.

    Raises:
        ValueError: if a benchmark is of another subject.
    """
    known = discover("benchmarks", "BENCHMARK", Benchmark)
    return dict(sorted(known.items(), key=lambda item: SUBJECTS.index(item[1].subject)))


def _percentile(samples: tuple[float, ...], percentile: int) -> float:
    """Return a percentile of ``samples``, interpolated between the two nearest."""
    if percentile == 50 or len(samples) < 2:
        return median(samples)
    return quantiles(samples, n=100, method="inclusive")[percentile - 1]
