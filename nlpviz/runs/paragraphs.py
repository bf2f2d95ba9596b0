"""Runs of paragraph vectors: their kind, and facts about them that do not need torch."""

from __future__ import annotations

from nlpviz.runs.run import Run

KIND = "paragraph-vectors"


def infers(run: Run) -> bool:
    """Return whether a run infers a text's embedding by gradient descent, so that it depends on the seed."""
    return run.kind == KIND
