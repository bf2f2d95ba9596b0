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
    return RUNS.sub(lambda result: f"{result[1]}{table}\n{result[2]}", text)


def runs_table(folder: Path = ROOT / "trained") -> str:
    """Return the runs in ``folder`` as Markdown tables, one for each sort of them, each with the best first."""
    from nlpviz.kinds import kinds
    from nlpviz.kinds.listing import columns, tables
    from nlpviz.runs import Run

    runs = [Run.open(manifest.parent) for manifest in sorted(folder.glob("[!.]*/run.json"))]
    rows = []
    for heading, some in tables([run for run in runs if run.kind in kinds()]).items():
        titles = [heading, *columns(some), "On disk", "Trained on", "In all", "An epoch"]
        rows += ["", f"| {' | '.join(titles)} |", f"| {' | '.join(['---'] * len(titles))} |"]
        rows += [_row(run, columns(some)) for run in some]
    return "\n".join(rows[1:])


def _row(run: Run, titles: tuple[str, ...]) -> str:
    """Return one run's row."""
    from nlpviz.kinds.listing import cell

    size = run.stored_bytes / 2**20
    epoch = f"{run.seconds_per_epoch:,.0f} s" if run.epochs else "none"
    cells = [
        f"[{run.title}](trained/{run.name}/README.md) (`{run.name}`)",
        *(cell(run, title) for title in titles),
        f"{size:.2g} MiB",
        run.device,
        f"{run.seconds:,.0f} s",
        epoch,
    ]
    return f"| {' | '.join(cells)} |"


def with_output(text: str) -> str:
    """Return ``text`` with each command's output written anew."""
    return OUTPUT.sub(_ran, text)


def _ran(result: re.Match[str]) -> str:
    """Return a command and what it prints; the block as it was if it fails."""
    command = [sys.executable, *shlex.split(result["command"])[1:]]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.stderr.write(f"left as it was: {result['command']} ({done.stderr.strip()})\n")
        return result[0]
    return f"$ {result['command']}\n{done.stdout}"


if __name__ == "__main__":
    written = with_output(with_runs(README.read_text(encoding="utf-8"), runs_table()))
    README.write_text(written, encoding="utf-8")
