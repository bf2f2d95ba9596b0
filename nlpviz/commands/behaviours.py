"""``behaviours RUN``: whether a classifier of sentiment does what minimal pairs ask of it, epoch by epoch.

The pairs are the battery that comes with the project, or those of ``--file``.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlpviz.commands import Command, UsageError, add_run, print_json, run_for, say

if TYPE_CHECKING:
    from nlpviz.data.own_texts.rows import UsableRows
    from nlpviz.results.behaviours import Probed, Rate
    from nlpviz.results.minimal_pairs import MinimalPair
    from nlpviz.runs import Run

_ALL = "all"


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_run(parser)
    parser.add_argument("--epoch", default=_ALL, help="a stored epoch, or all (the default)")
    parser.add_argument(
        "--file", type=Path, help="CSV file of your own pairs, with the columns first, second and expected"
    )
    parser.add_argument(
        "--write", action="store_true", help="store the results with the run, so that its pages load immediately"
    )
    parser.add_argument(
        "--failures", type=_count, default=3, help="number of failures listed per capability (default: 3)"
    )
    parser.epilog = (
        "The column expected contains either two labels (such as positive/negative) or one of higher, lower and same. "
        "The latter refer to the probability of the positive class in the second text, compared with the first. "
        "An optional column, capability, groups the pairs."
    )


def _count(value: str) -> int:
    number = int(value)
    if number < 0:
        raise argparse.ArgumentTypeError("must not be negative")
    return number


def _run(options: argparse.Namespace) -> None:
    from nlpviz.run_kinds.behaviours import check_sentiment, probe
    from nlpviz.runs.behaviours import write_probed

    run = run_for("behaviours", options.run)
    check_sentiment(run)
    epochs = _epochs(run, options.epoch)
    own = _own(options.file)
    pairs = _battery() if own is None else own.rows
    if own is not None and not options.json:
        say(own.said)
    if options.write and (own is not None or options.epoch != _ALL):
        raise UsageError("--write stores the results of all epochs on the built-in pairs. Omit --file and --epoch.")
    found = [probe(run, epoch, pairs) for epoch in epochs]
    if options.write:
        write_probed(run, pairs, found)
    if options.json:
        print_json(_facts(pairs, found, own, options.failures))
        return
    print("\n".join(_lines(pairs, found, options.failures)))


def _epochs(run: Run, asked: str) -> Sequence[int | None]:
    """Return which epochs are asked.

    Raises:
        UsageError: if it is no number.
        RunError: if the run keeps no such epoch.
    """
    from nlpviz.run_kinds.behaviours import asked_epochs

    if asked == _ALL:
        return asked_epochs(run)
    if not asked.isdecimal():
        raise UsageError(f"--epoch takes a number or {_ALL!r}, not {asked[:40]!r}.")
    return [run.check_epoch(int(asked))]


def _battery() -> Sequence[MinimalPair]:
    from nlpviz.data.battery import battery

    return battery()


def _own(file: Path | None) -> UsableRows[MinimalPair] | None:
    if file is None:
        return None
    from nlpviz.data.own_texts.minimal_pairs import read_minimal_pairs
    from nlpviz.data.own_texts.rows import Source

    return read_minimal_pairs(Source(str(file)))


def _facts(
    pairs: Sequence[MinimalPair], found: Sequence[Probed], own: UsableRows[MinimalPair] | None, most: int
) -> dict[str, Any]:
    """Return the rates of every epoch as JSON holds them, and the failures of the last one."""
    from nlpviz.results.behaviours import chance, rates

    last = found[-1]
    capabilities = list(dict.fromkeys(pair.capability for pair in pairs))
    return {
        "run": last.run,
        "pairs": len(pairs),
        "left_out": None if own is None else own.bad_count,
        "bad_rows": None if own is None else [{"row": row.number, "why": row.why} for row in own.bad],
        "by_chance": {name: chance([one for one in pairs if one.capability == name]) for name in capabilities},
        "epochs": [
            {
                "epoch": one.epoch,
                "unknown_words": (~one.known).sum(),
                "capabilities": {name: _rate(rate) for name, rate in rates(pairs, one).items()},
                "templates": {name: _rate(rate) for name, rate in rates(pairs, one, by_template=True).items()},
            }
            for one in found
        ],
        "failures": [
            pairs[at]._asdict() | {"positive": last.positive[at]}
            for name in capabilities
            for at in _worst(pairs, last, name, most)
        ],
    }


def _rate(rate: Rate) -> dict[str, Any]:
    return {
        "passed": rate.passed,
        "pairs": rate.pairs,
        "share": rate.share if rate.pairs else None,
        "interval": list(rate.interval),
    }


def _worst(pairs: Sequence[MinimalPair], probed: Probed, capability: str, most: int) -> list[int]:
    from nlpviz.results.behaviours import failures

    return [at for at in failures(pairs, probed) if pairs[at].capability == capability][:most]


def _lines(pairs: Sequence[MinimalPair], found: Sequence[Probed], most: int) -> Iterator[str]:
    """Yield a row a capability with a column an epoch, then the failures of the last epoch."""
    from nlpviz.results.behaviours import chance, rates

    last = found[-1]
    by_epoch = [rates(pairs, one) for one in found]
    names = list(by_epoch[0])
    width = max(map(len, names))
    heads = ["" if one.epoch is None else f"epoch {one.epoch}" for one in found]
    yield f"{last.run}: share of pairs passed, with 95% Wilson intervals"
    yield f"  {'':{width}}  {'pairs':>5} {'chance':>6}" + "".join(f"  {head:>18}" for head in heads)
    for name in names:
        own = chance([pair for pair in pairs if pair.capability == name])
        cells = "".join(f"  {_written(one[name]):>18}" for one in by_epoch)
        yield f"  {name:{width}}  {by_epoch[-1][name].pairs:>5} {'–' if own is None else f'{own:.0%}':>6}{cells}"
    if unknown := int((~last.known).sum()):
        yield f"{unknown:,} of {len(pairs):,} pairs contain out-of-vocabulary words and are excluded."
    for name in names:
        worst = _worst(pairs, last, name, most)
        if worst:
            at_epoch = "" if last.epoch is None else f", epoch {last.epoch}"
            yield f"{name}{at_epoch}: worst failures (probability of positive)"
        for at in worst:
            first, second = last.positive[at]
            yield f"  {pairs[at].expected}: {first:.2f} {pairs[at].first!r}, {second:.2f} {pairs[at].second!r}"


def _written(rate: Rate) -> str:
    if not rate.pairs:
        return "–"
    low, high = rate.interval
    return f"{rate.share:.0%} ({low:.0%} to {high:.0%})"


COMMAND = Command("behaviours", "test a sentiment classifier on minimal pairs, epoch by epoch", _add_arguments, _run)
