"""``roar RUN``: train a classifier's network again and again without the words that methods call most important.

What it reaches is kept with the run. It takes half an hour; ``--minutes`` cuts that into pieces.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from nlpviz.commands import Command, UsageError, add_run, named, positive, print_json, run_for, teller
from nlpviz.commands.as_json import as_json
from nlpviz.training import DEVICES, Options

if TYPE_CHECKING:
    from nlpviz.results.roar import Roar


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_run(parser)
    parser.add_argument(
        "--methods",
        nargs="+",
        help="attribution methods (default: three for any classifier and one specific to the network)",
    )
    parser.add_argument(
        "--seeds", type=positive, default=1, help="number of seeds per method, starting at 0 (default: 1)"
    )
    parser.add_argument(
        "--random-seeds", type=positive, default=3, help="number of seeds for random masks (default: 3)"
    )
    parser.add_argument(
        "--texts", type=positive, default=4_000, help="maximum number of training texts (default: 4,000)"
    )
    parser.add_argument("--validation", type=positive, default=800, help="number of validation texts (default: 800)")
    parser.add_argument("--test", type=positive, default=3_000, help="maximum number of test texts (default: 3,000)")
    parser.add_argument("--tokens", type=positive, default=150, help="maximum number of tokens per text (default: 150)")
    parser.add_argument("--epochs", type=positive, default=2, help="maximum number of epochs (default: 2)")
    parser.add_argument(
        "--minutes", type=float, help="time limit in minutes; a training run that would exceed it is not started"
    )
    parser.add_argument("--kept", action="store_true", help="print the stored result without training")
    parser.add_argument("--device", default="auto", choices=DEVICES, help="device to train on (default: auto)")


def _run(options: argparse.Namespace) -> None:
    from nlpviz.runs.roar import roar_of

    run = run_for("roar", options.run)
    found = roar_of(run) if options.kept else _trained(options)
    if found is None:
        raise UsageError(f"The run {run.name!r} has no ROAR result. Run `python -m nlpviz roar {run.name}`.")
    if options.json:
        print_json(_facts(found))
        return
    print("\n".join(_lines(found)))


def _trained(options: argparse.Namespace) -> Roar:
    from nlpviz.analysis.attribution import methods_for
    from nlpviz.run_kinds.roar import retrain_without, usual_methods
    from nlpviz.training.bounds import minutes
    from nlpviz.training.produce import writing
    from nlpviz.training.sampled import Shortened

    run = run_for("roar", options.run)
    there = methods_for(run)
    names = options.methods or usual_methods(run)
    for name in names:
        named(there, name, "method")
    short = Shortened(options.texts, options.validation, options.test, options.tokens, options.epochs)
    settings = Options(options.device, say=teller(options))
    with writing(run.folder.parent), minutes(options.minutes):
        return retrain_without(run, tuple(dict.fromkeys(names)), (options.seeds, options.random_seeds), short, settings)


def _facts(found: Roar) -> dict[str, Any]:
    from nlpviz.results.roar import RANDOM, WHOLE

    def cell(order: str, share: float) -> dict[str, Any]:
        against = {} if order in (RANDOM, WHOLE) else found.against(order, share)._asdict()
        return {"order": order, "share": share, **found.reached(order, share)._asdict(), **against}

    return {
        **as_json(found, "run", "epoch", "texts", "validation"),
        "test": len(found.ids),
        **as_json(found, "tokens", "epochs", "seeds", "seconds", "device"),
        "trained": [
            cell(WHOLE, 0.0),
            *(cell(order, share) for order in (RANDOM, *found.methods) for share in found.shares),
        ],
    }


def _lines(found: Roar) -> Iterator[str]:
    from nlpviz.results.roar import RANDOM, WHOLE

    whole = found.reached(WHOLE)
    yield (
        f"{found.run}: test accuracy on {len(found.ids):,} texts after training on {found.texts:,} "
        f"texts, cut to {found.tokens} tokens ({found.seeds_said}); without masking: {whole.accuracy:.1%}"
    )
    yield f"  {'masked':24}" + "".join(f"{share:>17.0%}" for share in found.shares)
    for order in (RANDOM, *found.methods):
        reached = [found.reached(order, share) for share in found.shares]
        marks = ["" if order == RANDOM else _mark(found, order, share) for share in found.shares]
        row = zip(reached, marks, strict=True)
        yield f"  {order:24}" + "".join(f"{one.accuracy:>15.1%} {mark:1}" for one, mark in row)
    yield (
        "v: significantly below random masks, ^: significantly above (paired test, adjusted p < 0.05, with every seed)"
    )


def _mark(found: Roar, order: str, share: float) -> str:
    against = found.against(order, share)
    return "v" if against.below else "^" if against.above else ""


COMMAND = Command(
    "roar", "mask the highest-ranked tokens and retrain, to compare attribution methods (ROAR)", _add_arguments, _run
)
