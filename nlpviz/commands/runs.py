"""``runs``."""

from __future__ import annotations

import argparse
from typing import Any

from nlpviz.commands import Command, add_json, print_json
from nlpviz.commands.as_json import as_json
from nlpviz.run_kinds import chosen_epoch, kind_of
from nlpviz.run_kinds.listing import known_runs
from nlpviz.runs import Run, RunError
from nlpviz.runs.budget import MIB


def _run(options: argparse.Namespace) -> None:
    runs, problems = known_runs()
    if options.json:
        print_json({"runs": [_facts(run) for run in runs.values()], "problems": problems})
        return
    for line in [row(run) for run in runs.values()] + problems:
        print(line)


def row(run: Run) -> str:
    """Return what a person wants to know of a run, in one line."""
    try:
        chosen = f"epoch {chosen_epoch(run)}" if run.epochs else chosen_epoch(run)
    except RunError:  # of a damaged history
        chosen = f"epoch {run.best_epoch}"
    size = f"{run.parameter_count:,} parameters  {run.stored_bytes / MIB:.1f} MiB"
    return f"{run.name}  {kind_of(run).headline.said(run)}  {chosen}  {size}  {run.device}  {run.title}"


def _facts(run: Run) -> dict[str, Any]:
    return {
        **as_json(run, "name", "title", "kind"),
        "corpus": run.corpus["name"],
        "epochs": run.epochs,
        "best_epoch": run.best_epoch if run.epochs else None,
        "parameters": run.parameter_count,
        **as_json(run, "stored_bytes", "metrics", "device", "seconds", "seconds_per_epoch", "created"),
    }


COMMAND = Command("runs", "list the trained runs", add_json, _run)
