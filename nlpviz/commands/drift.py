"""``drift RUN``: how many neighbours of test documents are others, beside what another seed alone changes."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from nlpviz.commands import Command, UsageError, add_run, positive, print_json, run_for
from nlpviz.commands.as_json import as_json

if TYPE_CHECKING:
    from nlpviz.results.drift import ComparedSpace, Drift


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_run(parser)
    parser.add_argument(
        "--neighbours", type=positive, default=10, help="number of neighbours per document, at most 50 (default: 10)"
    )
    parser.add_argument(
        "--against",
        default="chosen",
        choices=("chosen", "before"),
        help="compare each epoch with the chosen epoch or with the previous epoch (default: chosen)",
    )
    parser.add_argument(
        "--write", action="store_true", help="store the neighbours with the run, so that its pages load immediately"
    )
    parser.add_argument(
        "--movers", type=positive, default=5, help="with --json: number of documents listed per comparison (default: 5)"
    )


def _run(options: argparse.Namespace) -> None:
    from nlpviz.analysis.projections.drift import NEAREST, drift_of, keep_neighbours
    from nlpviz.runs import list_runs

    run = run_for("drift", options.run)
    if options.neighbours > NEAREST:
        raise UsageError(f"--neighbours must be at most {NEAREST}.")
    if options.write:
        run = keep_neighbours(run)
    others = [one for name, one in list_runs()[0].items() if name != run.name]
    found = drift_of(run, others, options.neighbours, options.against)
    if options.json:
        print_json(_facts(found, options.movers))
        return
    band = (
        f"seed noise {found.floor.band.low:.1%} to {found.floor.band.high:.1%} "
        f"({len(found.floor.pairs)} pairs of seeds {', '.join(map(str, found.seeds))})"
        if found.floor
        else "seed noise unknown"
        + f": train another seed with `python -m nlpviz seeds {run.name} --seed {run.seed + 2}`" * found.repeatable
    )
    print(
        f"{run.name}, epoch {found.epoch}: changed neighbours (of {found.neighbours}), "
        f"{len(found.ids):,} documents; {band}"
    )
    for one in found.compared:
        low, high = one.found.interval
        print(f"  {one.found.title:40} {one.found.mean:6.1%} ({low:.1%} to {high:.1%})  {one.verdict.value}")
    print(f"  {'by chance':40} {found.by_chance:6.1%}")


def _facts(found: Drift, movers: int) -> dict[str, Any]:
    return {
        **as_json(found, "run", "epoch", "neighbours"),
        "documents": len(found.ids),
        **as_json(found, "by_chance", "seeds"),
        "band": found.floor.band if found.floor else None,
        "exceeded_by_chance": found.floor.exceeded_by_chance if found.floor else None,
        "compared": [_compared(found, one, movers) for one in found.compared],
    }


def _compared(found: Drift, one: ComparedSpace, movers: int) -> dict[str, Any]:
    return {
        "group": one.group,
        "with": one.found.key,
        "title": one.found.title,
        "changed": one.found.mean,
        "interval": one.found.interval,
        "verdict": one.verdict.value,
        "beyond_every_pair_of_seeds": None if one.floor is None else one.floor.moved(one.found).sum(),
        "movers": [
            {"id": found.ids[position], "changed": round(float(one.found.changed[position]), 4)}
            for position in one.movers[:movers]
        ],
    }


COMMAND = Command(
    "drift", "show how nearest neighbours change between epochs, seeds and networks", _add_arguments, _run
)
