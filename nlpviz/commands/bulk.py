"""What ``predict``, ``embed``, ``explain`` and ``regions`` share where they answer a file of any length."""

from __future__ import annotations

import argparse
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, Never

from nlpviz.commands import UsageError, add_run, positive, print_json, teller

if TYPE_CHECKING:
    from tqdm import tqdm

    from nlpviz.analysis.bulk.jobs import Answerer
    from nlpviz.data.own_texts import Opened
    from nlpviz.runs import Run

_LISTED = 5  # bad rows
_ONLY = ("label", "delimiter", "encoding", "keep_texts", "ray", "workers", "out")


def add_run_and_file(parser: argparse.ArgumentParser) -> None:
    """Let a command take a run, one of its epochs, and a file of texts of any length, which it cannot do without."""
    add_run(parser)
    parser.add_argument("--epoch", type=int, help="epoch of the checkpoint (default: the best epoch)")
    parser.add_argument("--text", metavar="COLUMN", help="text column (default: detected)")
    add_file(parser, required=True)


def add_file(parser: argparse.ArgumentParser, *, required: bool) -> None:
    """Let a command take a file of texts of any length and the file of its answers."""
    group = parser.add_argument_group(
        "large text files", "CSV, TSV, JSON lines, Parquet or a folder, compressed or not"
    )
    group.add_argument("--texts", metavar="FILE", required=required, help="file of texts, one per row")
    group.add_argument(
        "--out",
        type=Path,
        metavar="FILE",
        required=required,
        help="new results file (.parquet or .jsonl); run the same command again to resume after an interruption",
    )
    group.add_argument(
        "--label",
        default="",
        metavar="COLUMN",
        help="label column, copied into the results (default: detected)",
    )
    group.add_argument("--delimiter", default="", help="column delimiter of a CSV file (default: detected)")
    group.add_argument("--encoding", default="", help="text encoding of the file (default: detected)")
    group.add_argument("--keep-texts", action="store_true", help="include the texts and their words in the results")
    group.add_argument(
        "--ray",
        nargs="?",
        const="local",
        metavar="ADDRESS",
        help="run on a Ray cluster; without an address, start a local cluster on this machine’s cores",
    )
    group.add_argument("--workers", type=positive, help="with --ray: number of workers (default: one per core)")


def asks_file(options: argparse.Namespace) -> bool:
    """Return whether a file of any length was asked for, by a command that takes other texts as well.

    Raises:
        UsageError: if an option of such a file stands without one.
    """
    if options.texts is not None:
        if options.file is not None:
            raise UsageError("--file and --texts both name a text file. Use only one of them.")
        if options.out is None:
            raise UsageError("--texts needs --out, the name of a new results file.")
        return True
    for name in _ONLY:
        if getattr(options, name):
            raise UsageError(f"--{name.replace('_', '-')} needs --texts.")
    return False


def answer(run: Run, about: str, options: argparse.Namespace, **asked: Any) -> None:  # noqa: ANN401
    """Answer every row of the file that was asked for, and tell how many there were.

    Args:
        run: that is asked.
        about: what, the command's name.
        options: of the command.
        asked: the fields of the question that this command alone knows.
    """
    from nlpviz.analysis.bulk.jobs import Told, answer_file
    from nlpviz.analysis.bulk.questions import BulkQuestion, check_answers
    from nlpviz.data.own_texts import Source, open_source

    check_answers(run)
    answerer, tell = _answerer(options), teller(options)
    source = Source(options.texts, options.text or "", options.label, "", "", options.delimiter, options.encoding)
    opened = open_source(source)
    epoch = run.best_epoch if options.epoch is None else run.check_epoch(options.epoch)
    labelled = bool(opened.source.label)
    question = BulkQuestion(
        about, run.name, run.fingerprint, epoch, keep_texts=options.keep_texts, labelled=labelled, **asked
    )
    for line in (*opened.guesses, "Counting rows."):
        tell(line)
    started, bar = monotonic(), _Bar(quiet=options.json)
    try:
        counted = answer_file(question, opened.rows, options.out, Told(bar.begin, bar.add), answerer)
    finally:
        bar.close()
    seconds = monotonic() - started
    if options.json:
        facts = {"rows": counted.rows, "bad_rows": opened.bad_count, "seconds": round(seconds, 3)}
        print_json({"run": run.name, "epoch": epoch, "out": str(options.out), **facts})
        return
    print(f"{counted.rows:,} rows processed in {seconds:,.1f} s: {options.out}")
    for line in _left_out(opened):
        print(line)


def _left_out(opened: Opened) -> list[str]:
    """Return which rows could not be read, and why."""
    if not opened.bad_count:
        return []
    listed = [f"  Row {row.number:,} {row.why}." for row in opened.bad[:_LISTED]]
    others = opened.bad_count - len(listed)
    how_many = "1 unreadable row was" if opened.bad_count == 1 else f"{opened.bad_count:,} unreadable rows were"
    return [f"{how_many} skipped:", *listed, *([f"  and {others:,} more"] if others else [])]


def _answerer(options: argparse.Namespace) -> Answerer:
    from nlpviz.analysis.bulk.cluster import Cluster
    from nlpviz.analysis.bulk.jobs import here

    if options.ray is None:
        if options.workers is not None:
            raise UsageError("--workers needs --ray.")
        return here
    return Cluster(options.ray, options.workers)


class _Bar:
    """How far a job is and how long it will take, on standard error."""

    def __init__(self, *, quiet: bool) -> None:
        """Show nothing yet; ``quiet`` shows nothing at all."""
        self._quiet = quiet
        self._bar: tqdm[Never] | None = None

    def begin(self, rows: int, answered: int) -> None:
        """Show the bar, of ``rows`` of which ``answered`` were answered before."""
        from tqdm import tqdm

        self._bar = tqdm(total=rows, initial=answered, unit=" texts", unit_scale=True, disable=self._quiet)

    def add(self, rows: int) -> None:
        """Move it by some more ``rows``."""
        if self._bar is not None:
            self._bar.update(rows)

    def close(self) -> None:
        """Leave it as it is."""
        if self._bar is not None:
            self._bar.close()
