"""``rationales RUN FILE``: how well attribution methods agree with the words that people marked in the user's texts."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from nlpviz.commands import Command, add_run, named, positive, print_json, run_for, say, teller
from nlpviz.commands.as_json import as_json

if TYPE_CHECKING:
    from nlpviz.data.own_texts.rows import UsableRows
    from nlpviz.results.rationales import AgainstPeople, Marked, Mean

_ALL = "all"


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_run(parser)
    parser.add_argument(
        "file", help="file of annotated texts: text, label and spans per row, or JSON lines in ERASER format"
    )
    parser.add_argument(
        "--methods", nargs="+", help="attribution methods, or all (default: methods that need few forward passes)"
    )
    parser.add_argument("--epoch", type=int, help="epoch of the checkpoint (default: the best epoch)")
    parser.add_argument("--rows", type=positive, default=1_000, help="maximum number of rows (default: 1,000)")
    parser.epilog = (
        "Spans are [[start, end], …] in characters. Documents in ERASER format are read from the rows, "
        "or from a folder named docs next to the file."
    )


def _run(options: argparse.Namespace) -> None:
    from nlpviz.analysis.attribution import methods_for
    from nlpviz.analysis.attribution.rationales import compare
    from nlpviz.data.own_texts import Source
    from nlpviz.data.own_texts.rationales import read_rationales

    run = run_for("rationales", options.run)
    there = methods_for(run)
    usual = [name for name, method in there.items() if method.surveyed]
    asked = list(there) if options.methods == [_ALL] else options.methods or usual
    for name in asked:
        named(there, name, "method")
    read = read_rationales(Source(options.file), options.rows)
    teller(options)(read.said)
    found = compare(run.load(options.epoch), read.rows, list(dict.fromkeys(asked)), read.file)
    if options.json:
        print_json(_facts(read, found))
        return
    if found.left_out:
        say("Excluded: " + "; ".join(f"row {number:,} {why}" for number, why in found.left_out[:5]) + ".")
    print("\n".join(_lines(found)))


def _facts(read: UsableRows[Marked], found: AgainstPeople) -> dict[str, Any]:
    return {
        **as_json(found, "run", "epoch"),
        "texts": len(found.numbers),
        "right": found.right.sum(),
        "marked_share": found.share,
        "random": found.random._asdict(),
        "orders": [
            {
                "order": name,
                "is_method": found.asks_network(name),
                "average_precision": found.of(name)._asdict(),
                "over_random": found.over(name)._asdict(),
            }
            for name in found.best_first
        ],
        "bad_count": read.bad_count,
        "bad_rows": [{"row": row.number, "why": row.why} for row in read.bad],
        "left_out": [{"row": number, "why": why} for number, why in found.left_out],
    }


def _lines(found: AgainstPeople) -> Iterator[str]:
    yield (
        f"{found.run}, epoch {found.epoch}: average precision over {len(found.numbers):,} texts "
        f"({found.share:.1%} of the tokens marked by annotators); 95% intervals"
    )
    orders = [(name, found.of(name), found.over(name)) for name in found.best_first]
    for name, mean, over in (("random orders", found.random, None), *orders):
        title = name if over is None or found.asks_network(name) else f"{name} (no network)"
        above = "" if over is None else f"  above random {_written(over, signed=True)}"
        yield f"  {title:36} {_written(mean)}{above}"


def _written(one: Mean, *, signed: bool = False) -> str:
    form = "+.3f" if signed else ".3f"
    return f"{one.mean:{form}} ({one.interval.low:{form}} to {one.interval.high:{form}})"


COMMAND = Command("rationales", "compare attribution methods with human rationales", _add_arguments, _run)
