"""Write into README.md what depends on the committed runs: ``python docs/fill_in.py``, after a training.

Two things are written: the table between ``<!-- runs -->`` and ``<!-- end of runs -->``, from the runs' manifests, and
below ``<!-- output -->`` what the commands of a console block print. A command that fails, ``evaluate`` without its
corpus for one, leaves its block as it is.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nlpviz.runs import Run

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
README = ROOT / "README.md"
RUNS = re.compile(r"(<!-- runs -->\n).*?(<!-- end of runs -->)", re.DOTALL)
OUTPUT = re.compile(
    r"(?<=<!-- output -->\n```console\n)\$ (?P<command>python [^\n]*)\n.*?(?=^```$)", re.DOTALL | re.MULTILINE
)


def with_runs(text: str, table: str) -> str:
    """Return ``text`` with the runs' table put between its markers."""
    return RUNS.sub(lambda found: f"{found[1]}{table}\n{found[2]}", text)


def runs_table(folder: Path = ROOT / "trained") -> str:
    """Return the runs in ``folder`` as Markdown tables, one a kind, each with the best first."""
    from nlpviz.runs import Run

    runs = [Run.open(manifest.parent) for manifest in sorted(folder.glob("[!.]*/run.json"))]
    rows = [
        "| run | test accuracy | epoch chosen | parameters | on disk | trained on | in all | an epoch |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for run in _ranked(runs, "test"):
        chosen = f"{run.best_epoch} of {run.history[-1].epoch}" if run.epochs else "none"
        rows.append(_row(run, f"{run.metrics['test']['accuracy']:.2%} | {chosen} | {run.parameter_count:,}"))
    if words := _ranked(runs, "analogies"):
        rows += [
            "",
            "| word vectors | analogies | words | epochs | on disk | trained on | in all | an epoch |",
            "| --- | --- | --- | --- | --- | --- | --- | --- |",
        ]
        for run in words:
            size = f"{run.config['vocabulary_size']:,} × {run.config['dimensions']}"
            rows.append(_row(run, f"{run.metrics['analogies']['accuracy']:.1%} | {size} | {run.best_epoch}"))
    if translators := [run for run in runs if "translation" in run.metrics]:
        rows += [
            "",
            "| translators | BLEU (with case) | epoch chosen | parameters | on disk | trained on | in all | an epoch |",
            "| --- | --- | --- | --- | --- | --- | --- | --- |",
        ]
        for run in sorted(translators, key=lambda run: (run.recipe["target"] != "fr", -_bleu(run))):
            bleu = f"{_bleu(run):.1f} ({run.metrics['translation']['bleu_with_case']:.1f})"
            rows.append(
                _row(run, f"{bleu} | {run.best_epoch} of {run.recipe['fit']['epochs']} | {run.parameter_count:,}")
            )
    return "\n".join(rows)


def _bleu(run: Run) -> float:
    return run.metrics["translation"]["bleu"]


def _ranked(runs: list[Run], measured: str) -> list[Run]:
    """Return the runs that were measured so, the most accurate first."""
    return sorted((run for run in runs if measured in run.metrics), key=lambda run: -run.metrics[measured]["accuracy"])


def _row(run: Run, measured: str) -> str:
    """Return one run's row."""
    size = run.stored_bytes / 2**20
    epoch = f"{run.seconds_per_epoch:,.0f} s" if run.epochs else "none"
    return (
        f"| [{run.title}](trained/{run.name}/README.md) (`{run.name}`) | {measured} | {size:.2g} MiB | {run.device} "
        f"| {run.seconds:,.0f} s | {epoch} |"
    )


def with_output(text: str) -> str:
    """Return ``text`` with each command's output written anew."""
    return OUTPUT.sub(_ran, text)


def _ran(found: re.Match[str]) -> str:
    """Return a command and what it prints; the block as it was if it fails."""
    command = [sys.executable, *shlex.split(found["command"])[1:]]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.stderr.write(f"left as it was: {found['command']} ({done.stderr.strip()})\n")
        return found[0]
    return f"$ {found['command']}\n{done.stdout}"


if __name__ == "__main__":
    written = with_output(with_runs(README.read_text(encoding="utf-8"), runs_table()))
    README.write_text(written, encoding="utf-8")
