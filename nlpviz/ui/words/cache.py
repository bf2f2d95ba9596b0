"""The pages' only way to word vectors of runs: read once, shared by all visitors, bounded, keyed as in ``cache``."""

from __future__ import annotations

from nlpviz.results.vectors import WordVectors
from nlpviz.runs import Run
from nlpviz.runs import vectors as stored
from nlpviz.ui import limits
from nlpviz.ui.cache import shared
from nlpviz.ui.calls import Call


# of 30,000 words by 200: 24 MB each
@shared(limits.entries(12), "Reading word vectors…")
def vectors(run: Run, epoch: int, table: str = stored.INPUT) -> Call[WordVectors]:
    """Return the word vectors of one epoch of a run; frozen, for everyone.

    Raises:
        RunError: if the run keeps no such epoch or table, or is damaged.
    """
    return Call(stored.read_vectors, run, epoch, table)


@shared(256)
def tables(run: Run, epoch: int) -> tuple[str, ...]:
    """Return which tables an epoch of a run keeps: ``("input",)``, or ``("input", "output")``."""
    return stored.tables(run, epoch)
