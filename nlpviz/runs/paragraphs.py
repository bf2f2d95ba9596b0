"""Runs of paragraph vectors: their kind, and what is said of them without torch."""

from __future__ import annotations

from nlpviz.runs.run import Run

KIND = "paragraph-vectors"


def infers(run: Run) -> bool:
    """Return whether a run finds a text's embedding by a descent, so that other seeds find other ones."""
    return run.kind == KIND
