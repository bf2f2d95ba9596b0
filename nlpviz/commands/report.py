"""``report RUN``: what is drawn of a run, or of two side by side, as one HTML file that needs no network."""

from __future__ import annotations

import argparse
from pathlib import Path

from nlpviz.commands import Command, UsageError, named


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("run", help="for example imdb-cnn")
    parser.add_argument("--beside", metavar="RUN", help="another run, to compare them")
    parser.add_argument("--html", type=Path, metavar="FILE", help="default: RUN.html, or RUN-RUN.html")


def _run(options: argparse.Namespace) -> None:
    from nlpviz.kinds.drawn.report import report_html
    from nlpviz.kinds.listing import known_runs
    from nlpviz.runs.files import write_text

    known, _ = known_runs()
    names = list(dict.fromkeys(name for name in (options.run, options.beside) if name is not None))
    runs = [named(known, name, "run") for name in names]
    out = options.html or Path(f"{'-'.join(names)}.html")
    if out.exists() or not out.parent.is_dir():
        raise UsageError(f"{out} is there already, or its folder is not: name another file.")
    write_text(out, report_html(runs, list(known.values())))
    print(f"{out}: {out.stat().st_size / 2**20:.1f} MiB, which any browser opens without a network")


COMMAND = Command("report", "draw a run, or two side by side, into one HTML file", _add_arguments, _run)
