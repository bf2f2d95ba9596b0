"""``report RUN``: what is drawn of a run, or of two side by side, as one HTML file that needs no network."""

from __future__ import annotations

import argparse
from pathlib import Path

from nlpviz.commands import Command, UsageError, named


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("run", help="name of the run")
    parser.add_argument("--beside", metavar="RUN", help="second run, shown side by side")
    parser.add_argument(
        "--html", type=Path, metavar="FILE", help="HTML file to write (default: RUN.html, or RUN-RUN.html)"
    )


def _run(options: argparse.Namespace) -> None:
    from nlpviz.run_kinds.drawn.report import report_html
    from nlpviz.run_kinds.listing import known_runs
    from nlpviz.runs.files import write_text

    known, _ = known_runs()
    names = list(dict.fromkeys(name for name in (options.run, options.beside) if name is not None))
    runs = [named(known, name, "run") for name in names]
    out = options.html or Path(f"{'-'.join(names)}.html")
    if out.exists() or not out.parent.is_dir():
        raise UsageError(f"{out} already exists, or its folder does not exist. Choose another name.")
    write_text(out, report_html(runs, list(known.values())))
    print(f"{out}: {out.stat().st_size / 2**20:.1f} MiB, opens in any browser without an internet connection")


COMMAND = Command("report", "write a report of a run, or of two side by side, as one HTML file", _add_arguments, _run)
