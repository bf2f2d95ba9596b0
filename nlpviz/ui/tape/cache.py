"""Sequences as networks answer them: read once, shared by all visitors, bounded, keyed as in ``nlpviz.ui.cache``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nlpviz.runs import Run
from nlpviz.runs.transducers import load_transducer, read_lengths
from nlpviz.ui.cache import shared

if TYPE_CHECKING:
    from nlpviz.results.tape import LengthError, SequenceReading


@shared(12, "Reading the sequence…")  # 4 MB each for 100 vectors
def reading(run: Run, epoch: int, length: int, number: int) -> SequenceReading:
    """Return how a network answers a test sequence of a length, from the one numbered 1."""
    from nlpviz.analysis.inspection.tape import read_sequence

    return read_sequence(run, epoch, _network(run, epoch), length, number - 1)


_network = shared(12, "Loading the network…")(load_transducer)


@shared(32)
def lengths(run: Run) -> tuple[LengthError, ...]:
    """Return how often each kept epoch answers wrongly, by length."""
    return read_lengths(run)
