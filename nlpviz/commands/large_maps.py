"""``project FILE.parquet``: the map of a file of embeddings, and the page that shows it as density."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from nlpviz.commands import UsageError, print_json, teller
from nlpviz.runs import list_runs

if TYPE_CHECKING:
    from nlpviz.analysis.projections import Progress

_ENDING = ".parquet"


def add_large(parser: argparse.ArgumentParser) -> None:
    """Let ``project`` take a file of embeddings."""
    group = parser.add_argument_group("file of embeddings (also accepts --method, --perplexity, --sample and --seed)")
    group.add_argument(
        "--out", type=Path, metavar="FILE", help="new Parquet file for the map, with one row per document"
    )
    group.add_argument(
        "--html", type=Path, metavar="FILE", help="new HTML file with a density map; it opens without a server"
    )


def asks_large(options: argparse.Namespace) -> bool:
    """Return whether a file stands in the place of a run.

    Raises:
        UsageError: if an option of a file stands with a run, or one of a run with a file.
    """
    large = options.run.endswith(_ENDING) and options.run not in list_runs()[0]
    wrong = ("dimensions", "epoch", "alone", "output") if large else ("out", "html")
    for name in wrong:
        if getattr(options, name) not in (None, False):
            raise UsageError(f"--{name} needs a {'run' if large else 'file of embeddings'}.")
    return large


def project_file(options: argparse.Namespace) -> None:
    """Compute the map of a file of embeddings, draw it, or both; a map that is there already is only drawn."""
    from nlpviz.analysis.projections.large import LargeSettings, project_large

    if options.out is None and options.html is None:
        raise UsageError("No output file was given. Use --out map.parquet for the map, or --html map.html for a page.")
    known = {"projector": options.method, "sample": options.sample, "perplexity": options.perplexity}
    settings = LargeSettings(seed=options.seed, **{key: value for key, value in known.items() if value is not None})
    facts: dict[str, object] = {}
    for path in filter(None, (options.out, options.html)):
        _check(path)
    try:
        if options.out is not None:
            facts = asdict(project_large(Path(options.run), options.out, settings, _progress(options)))
        if options.html is not None:
            facts |= _draw(Path(options.run) if options.out is None else options.out, options.html)
    except OSError as error:
        raise UsageError(f"The map cannot be written ({error.strerror}).") from None
    if options.json:
        print_json(facts)
        return
    print("  ".join(f"{key} {value}" for key, value in facts.items() if value not in (None, "")))


def _check(path: Path) -> None:
    if path.exists():
        raise UsageError(f"{path} already exists. Choose another name, or delete it first.")
    if not path.parent.is_dir():
        raise UsageError(f"There is no folder {path.parent}.")


def _draw(path: Path, html: Path) -> dict[str, object]:
    """Write the page of a map; plotly.js is in it."""
    from nlpviz.analysis.projections.density import density
    from nlpviz.figures.documents.density import density_map
    from nlpviz.figures.page import Section, page_html
    from nlpviz.runs.files import write_text

    shown = density(path)
    view = density_map(shown)
    write_text(html, page_html(path.name, [Section("", (), [view])], f"drawn from {path.name}"))
    return {"documents": shown.documents, "classes": len(shown.class_names), "html": str(html)}


def _progress(options: argparse.Namespace) -> Progress:
    """Return what tells a person how far it is, at each tenth."""
    tell, told = teller(options), -1

    def report(share: float, doing: str) -> None:
        nonlocal told
        if int(10 * share) > told:
            told = int(10 * share)
            tell(f"{share:4.0%}  {doing}")

    return report
