"""Sequences as networks answer them: read once, shared by all visitors, bounded, keyed as in ``nlpviz.ui.cache``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nlpviz.runs import Run
from nlpviz.runs.transducers import load_transducer, read_lengths
from nlpviz.ui.cache import shared
from nlpviz.ui.calls import Call

if TYPE_CHECKING:
    from torch import nn

    from nlpviz.results.tape import LengthError, SequenceReading


@shared(12, "Reading the sequence…")  # 4 MB each for 100 vectors
def reading(run: Run, epoch: int, length: int, number: int) -> Call[SequenceReading]:
    """Return how a network answers a test sequence of a length, from the one numbered 1."""
    from nlpviz.analysis.inspection.tape import read_sequence

    return Call(read_sequence, run, epoch, _network(run, epoch), length, number - 1)


@shared(12, "Loading the network…")
def _network(run: Run, epoch: int) -> Call[nn.Module]:
    return Call(load_transducer, run, epoch)


@shared(32)
def lengths(run: Run, epoch: int) -> Call[tuple[LengthError, ...]]:
    """Return how often an epoch answers wrongly, by length."""
    return Call(read_lengths, run, epoch)
