"""``cartography RUN``: how a classifier's documents were learnt, and whose label was believed least.

It is read off the log of the training, which ``train`` writes, or ``survey`` from kept epochs.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

import numpy as np

from nlpviz.commands import Command, add_run, positive, print_json, run_for

if TYPE_CHECKING:
    from nlpviz.results.cartography import Cartography

_PARTS = ("trained", "held-out", "test")


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_run(parser)
    parser.add_argument(
        "--of",
        default=_PARTS[0],
        choices=_PARTS,
        help="split whose documents are shown (default: the training documents)",
    )
    parser.add_argument(
        "--suspects", type=positive, default=10, help="number of suspected label errors listed (default: 10)"
    )


def _run(options: argparse.Namespace) -> None:
    from nlpviz.results.cartography import Cartography
    from nlpviz.results.training_log import Role
    from nlpviz.runs.training_log import training_log

    run = run_for("cartography", options.run)
    part = dict(zip(_PARTS, (Role.TRAINED, Role.HELD_OUT, Role.TEST), strict=True))[options.of]
    found = Cartography.of(training_log(run).of(part))
    facts = _facts(found, options.suspects)
    if options.json:
        print_json({"run": run.name, "of": options.of, **facts})
        return
    print(
        f"{run.name}: {facts['documents']:,} documents ({options.of}), {facts['moments']} evaluations "
        "during training; "
        f"{facts['always_right']:,} always correct, {facts['forgotten']:,} forgotten at least once, "
        f"{facts['never_right']:,} never correct"
    )
    print(f"  {'suspect':24} {'label':12} confidence  variability  forgotten")
    for one in facts["suspects"]:
        print(
            f"  {one['id']:24} {one['label']:12} {one['confidence']:10.3f}  {one['variability']:11.3f}  "
            f"{one['forgotten']:9}"
        )


def _facts(found: Cartography, suspects: int) -> dict[str, Any]:
    from nlpviz.results.cartography import NEVER

    log = found.log
    return {
        "documents": len(log.labels),
        "moments": len(found.moments),
        "always_right": (found.correctness == 1).sum(),
        "forgotten": (found.forgotten > 0).sum(),
        "never_right": (found.first_learnt == NEVER).sum(),
        "median_confidence": np.median(found.confidence),
        "suspects": [
            {
                "id": log.ids[position],
                "label": log.class_names[log.labels[position]],
                "confidence": round(float(found.confidence[position]), 4),
                "variability": round(float(found.variability[position]), 4),
                "forgotten": found.forgotten[position],
            }
            for position in found.suspects[:suspects]
        ],
    }


COMMAND = Command("cartography", "show how documents were learnt and which labels may be wrong", _add_arguments, _run)
