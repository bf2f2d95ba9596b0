"""``churn RUN``: on how many test documents networks and seeds, or the epochs of a run, disagree, and on which."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from nlpviz.commands import Command, add_run, positive, print_json, run_for
from nlpviz.commands.as_json import as_json

if TYPE_CHECKING:
    from nlpviz.results.churn import Churn
    from nlpviz.stats.significance import Interval


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_run(parser)
    parser.add_argument("--epochs", action="store_true", help="compare the epochs of this run instead of all networks")
    parser.add_argument("--most", type=positive, default=10, help="number of documents listed (default: 10)")


def _run(options: argparse.Namespace) -> None:
    from nlpviz.results.churn import beyond, seeds_churn
    from nlpviz.runs import list_runs
    from nlpviz.runs.churn import churn_of_epochs, churn_of_networks, seeds_on

    run = run_for("churn", options.run)
    others = list(list_runs()[0].values())
    if options.epochs:
        found = churn_of_epochs(run)
        band = seeds_on(run, others, found.ids)
    else:
        found = churn_of_networks(run, others)
        band = seeds_churn(found)
    if options.json:
        print_json({"run": run.name, **_facts(found, band, options.most)})
        return
    known = f"two seeds disagree on {band.low:.1%} to {band.high:.1%}" if band else "no pair of seeds to compare"
    print(f"{len(found.answering)} models, {len(found.ids):,} test documents; {known}")
    for one, other in sorted(found.pairs, key=lambda pair: found.pairs[pair].agreement):
        pair = found.pairs[one, other]
        low, high = pair.churn_interval
        more = {True: "above seed noise", False: "within seed noise", None: ""}[beyond(pair, band)]
        names = f"{found.answering[one].key}, {found.answering[other].key}"
        print(f"  {names:52} {pair.churn:6.1%} ({low:.1%} to {high:.1%})  kappa {pair.kappa:.2f}  {more}")
    for row in found.most[: options.most]:
        right = found.votes[row, found.labels[row]]
        print(f"  {found.ids[row]:24} {right} of {len(found.answering)} correct")


def _facts(found: Churn, band: Interval | None, most: int) -> dict[str, Any]:
    from nlpviz.results.churn import beyond

    return {
        "documents": len(found.ids),
        "answering": [
            as_json(one, "key", "title", "recipe") | {"accuracy": accuracy}
            for one, accuracy in zip(found.answering, found.accuracies, strict=True)
        ],
        "band": band,
        "not_unanimous": (found.disagreement > 0).mean(),
        "pairs": [
            {
                "one": found.answering[one].key,
                "other": found.answering[other].key,
                "disagree": pair.churn,
                "interval": pair.churn_interval,
                "kappa": pair.kappa,
                "independent": 1 - pair.independent,
                "same_recipe": pair.same_recipe,
                "more_than_seeds": beyond(pair, band),
            }
            for (one, other), pair in found.pairs.items()
        ],
        "most": [
            {
                "id": found.ids[row],
                "label": found.class_names[found.labels[row]],
                "right": found.votes[row, found.labels[row]],
                "pairs_that_disagree": found.disagreement[row],
            }
            for row in found.most[:most]
        ],
    }


COMMAND = Command("churn", "list test documents on which networks, seeds or epochs disagree", _add_arguments, _run)
