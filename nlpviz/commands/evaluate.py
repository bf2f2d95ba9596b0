"""``evaluate RUN``."""

from __future__ import annotations

import argparse

from nlpviz.commands import Command, add_run, named, print_json, teller
from nlpviz.runs import open_run
from nlpviz.training import DEVICES, Options
from nlpviz.training.recipes import recipes


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_run(parser)
    parser.add_argument("--device", default="auto", choices=DEVICES)


def _run(asked: argparse.Namespace) -> None:
    run = open_run(asked.run)
    recipe = named(recipes(), run.name, "recipe")
    measured = recipe.evaluate(run.name, Options(device=asked.device, say=teller(asked)))
    if asked.json:
        print_json({"run": run.name, "epoch": run.best_epoch if run.epochs else None, **measured})
        return
    print(
        f"{run.name}: accuracy {measured['accuracy']:.2%}, loss {measured['loss']:.3f} nats, "
        f"{measured['documents']:,.0f} test documents"
    )


COMMAND = Command("evaluate", "measure a run on its corpus's test split", _add_arguments, _run)
