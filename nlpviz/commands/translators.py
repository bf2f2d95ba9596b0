"""Which translator is asked, for the commands for translators. No command."""

from __future__ import annotations

from nlpviz.run_kinds import kind_of
from nlpviz.run_kinds.listing import known_runs
from nlpviz.runs import Run, RunError, open_run


def translator_run(name: str) -> Run:
    """Return the translator called ``name``.

    Raises:
        RunError: if it is none, naming those there are.
    """
    run = open_run(name)
    if not _translates(run):
        there = ", ".join(other.name for other in known_runs()[0].values() if _translates(other)) or "none"
        raise RunError(f"The run {name!r} {kind_of(run).says}, not a translator. Available translators: {there}.")
    return run


def _translates(run: Run) -> bool:
    return "translate" in kind_of(run).commands
