"""``runs``."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any

from nlpviz.commands import Command, add_json, print_json
from nlpviz.runs import Run, list_runs
from nlpviz.runs.budget import MIB
from nlpviz.runs.translators import KIND as TRANSLATOR


def _run(asked: argparse.Namespace) -> None:
    runs, problems = list_runs()
    if asked.json:
        print_json({"runs": [_facts(run) for run in runs.values()], "problems": problems})
        return
    for line in [row(run) for run in runs.values()] + problems:
        print(line)


def row(run: Run) -> str:
    """Return what a person wants to know of a run, in one line."""
    measured = ", ".join(f"{measure} on {name}" for name, measure in _measures(run).items())
    trained = run.recipe["fit"]["epochs"] if run.kind == TRANSLATOR else run.best_epoch
    last = run.history[-1].epoch if run.kind == "classifier" else trained
    chosen = f"epoch {run.best_epoch} of {last}" if run.epochs else "no epochs"
    size = f"{run.parameter_count:,} parameters  {run.stored_bytes / MIB:.1f} MiB"
    return f"{run.name}  {measured}  {chosen}  {size}  {run.device}  {run.title}"


def _measures(run: Run) -> Mapping[str, str]:
    """Return what a run was measured on and what came out, what was only for choosing left out."""
    accuracies = {name: f"{run.metrics[name]['accuracy']:.2%}" for name in ("test", "analogies") if name in run.metrics}
    bleu = {"test": f"BLEU {run.metrics['translation']['bleu']:.1f}"} if "translation" in run.metrics else {}
    return accuracies | bleu


def _facts(run: Run) -> dict[str, Any]:
    return {
        "name": run.name,
        "title": run.title,
        "kind": run.kind,
        "corpus": run.corpus["name"],
        "epochs": run.epochs,
        "best_epoch": run.best_epoch if run.epochs else None,
        "parameters": run.parameter_count,
        "stored_bytes": run.stored_bytes,
        "metrics": run.metrics,
        "device": run.device,
        "seconds": run.seconds,
        "seconds_per_epoch": run.seconds_per_epoch,
        "created": run.created,
    }


COMMAND = Command("runs", "list the trained runs", add_json, _run)
