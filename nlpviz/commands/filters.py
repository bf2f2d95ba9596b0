"""``filters RUN``: what activates each filter of a convolutional network."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import TYPE_CHECKING

from nlpviz.commands import Command, UsageError, add_checkpoint, add_run, print_json, run_for, target_of

if TYPE_CHECKING:
    from nlpviz.results.survey import FilterSummary

SHOWN = 4

_LEFT_OUT = ("epoch", "position", "twin", "ngrams", "weights")


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_run(parser)
    add_checkpoint(parser, "the last class")
    parser.add_argument("--filter", help="filter, given as region size and number, for example 3-17 (default: all)")


def _run(options: argparse.Namespace) -> None:
    from nlpviz.runs.surveys import filters

    run = run_for("filters", options.run)
    epoch = run.best_epoch if options.epoch is None else options.epoch
    target = target_of(run, options)
    target = len(run.class_names) - 1 if target is None else target
    if len(run.class_names) == 2 and target == 0:
        raise UsageError(
            f"Weights are stored for {run.class_names[1]}; the weights for {run.class_names[0]} have the opposite sign."
        )
    result = filters(run, epoch, target)
    shown = result
    if options.filter is not None:
        shown = (_one(result, options.filter),)
    if options.json:
        facts = [
            {
                "filter": one.id,
                **{key: value for key, value in asdict(one).items() if key not in _LEFT_OUT},
                "twin": result[one.twin].id if one.correlation else None,
                "dead": one.dead,
                "duplicate": one.duplicate,
                "ngrams": [said._asdict() for said in one.ngrams],
            }
            for one in shown
        ]
        print_json({"run": run.name, "epoch": epoch, "target": run.class_names[target], "filters": facts})
        return
    for one in sorted(shown, key=lambda one: -abs(one.weight * one.mean)):
        print(_in_words(one, result))


def _one(result: tuple[FilterSummary, ...], name: str) -> FilterSummary:
    for one in result:
        if one.id == name:
            return one
    last = {one.size: one.id for one in result}
    there = ", ".join(f"{size}-0 to {identifier}" for size, identifier in last.items())
    raise UsageError(f"There is no filter {name!r}; available: {there}.")


def _in_words(one: FilterSummary, result: tuple[FilterSummary, ...]) -> str:
    flags = " dead" * one.dead + f" duplicate of {result[one.twin].id}" * one.duplicate
    words = ", ".join(f'"{said.ngram}" {said.activation:.1f}' for said in one.ngrams[:SHOWN])
    return f"{one.id}  weight {one.weight:+.3f}  active in {one.alive:.0%}{flags}  {words}"


COMMAND = Command("filters", "show which n-grams activate each filter of a convolutional network", _add_arguments, _run)
