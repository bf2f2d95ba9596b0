"""A page of the documentation for each committed run, its card, and the tables of all: from the manifests."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nlpviz.runs import Run

ROOT = Path(__file__).resolve().parents[2]
MARK = "<!-- runs -->"


def write(folder: Path) -> None:
    """Write a page for each run, and put the tables of all into docs/runs/index.md."""
    from nlpviz.runs import Run

    runs = [Run.open(manifest.parent) for manifest in sorted((ROOT / "trained").glob("[!.]*/run.json"))]
    folder.mkdir(parents=True, exist_ok=True)
    for run in runs:
        card = run.file("README.md").read_text(encoding="utf-8")
        (folder / f"{run.name}.md").write_text(card, encoding="utf-8")
    index = folder / "index.md"
    names = "\n".join(run.name for run in runs)
    text = index.read_text(encoding="utf-8").replace(MARK, tables_of(runs))
    index.write_text(f"{text}\n```{{toctree}}\n:hidden:\n\n{names}\n```\n", encoding="utf-8")


def tables_of(runs: list[Run]) -> str:
    """Return runs as Markdown tables, one for each kind, each with the best first."""
    from nlpviz.run_kinds import kinds
    from nlpviz.run_kinds.listing import columns, tables

    parts = []
    for heading, some in tables([run for run in runs if run.kind in kinds()]).items():
        titles = ["Run", *columns(some), "On disk", "Trained on", "Total time", "Time per epoch"]
        rows = [titles, ["---"] * len(titles), *(_row(run, columns(some)) for run in some)]
        parts.append(f"## {heading}\n\n" + "\n".join(f"| {' | '.join(row)} |" for row in rows))
    return "\n\n".join(parts)


def _row(run: Run, titles: tuple[str, ...]) -> list[str]:
    from nlpviz.run_kinds.listing import cell

    return [
        f"[{run.title}]({run.name}.md) (`{run.name}`)",
        *(cell(run, title) for title in titles),
        f"{run.stored_bytes / 2**20:.2g} MiB",
        run.device,
        f"{run.seconds:,.0f} s",
        f"{run.seconds_per_epoch:,.0f} s" if run.epochs else "none",
    ]
