"""``leave-out RUN``: do predictions move when the documents of most influence are left out of the training?

Dozens of small trainings, each of which leaves out documents: those of most influence on a test text, or random ones.
What was found is kept with the run; the weights of those trainings are not. The corpus must be on this machine.
"""

from __future__ import annotations

import argparse
import shutil
from time import monotonic
from typing import TYPE_CHECKING, Any

from nlpviz.commands import Command, add_run, positive, print_json, run_for, say, teller
from nlpviz.commands.as_json import as_json

if TYPE_CHECKING:
    from nlpviz.results.left_out import LeftOut


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_run(parser)
    parser.add_argument("--again", action="store_true", help="run or resume the training runs and store the result")
    parser.add_argument(
        "--count", type=positive, default=50, help="number of documents left out per training run (default: 50)"
    )
    parser.add_argument("--texts", type=positive, default=24, help="number of test texts (default: 24)")
    parser.add_argument(
        "--draws",
        type=positive,
        default=3,
        help="number of random draws, over all documents and within each class (default: 3)",
    )
    parser.add_argument("--epochs", type=positive, default=4, help="number of epochs per training run (default: 4)")
    parser.add_argument("--words", type=positive, default=200, help="number of words read per document (default: 200)")
    parser.add_argument("--batch", type=positive, default=32, help="batch size (default: 32)")
    parser.add_argument("--every", type=positive, default=12, help="train on every n-th document (default: every 12th)")
    parser.add_argument(
        "--minutes", type=positive, help="time limit in minutes; run the same command again to continue"
    )


def _run(options: argparse.Namespace) -> None:
    from nlpviz.runs import RunError
    from nlpviz.runs.left_out import left_out

    run = run_for("leave-out", options.run)
    if options.again:
        done = _train(run, options)
        if done is None:
            say("The time limit was reached. Run the same command again to continue.")
            return
        run = done
    found = left_out(run)
    if found is None:
        raise RunError(
            f"The run {run.name!r} has no leave-out test. Run `python -m nlpviz leave-out {run.name} --again`."
        )
    if options.json:
        print_json(_facts(found))
        return
    print(f"{run.name}: {len(found.ids)} test texts, trained {found.training}, {found.seconds:.0f} s per training run")
    print(f"  mean absolute change of the log-odds when {found.count} of {found.documents:,} documents are left out")
    kinds = {
        "top": "most influential",
        "random": "random",
        "same": "random, same class",
        "seeds": "none, different seed",
    }
    for name, title in kinds.items():
        moved = abs(found.moved(name)).mean() if found.moved(name).size else float("nan")
        print(f"    {title:24} {moved:.3f}")
    for name, title in (("random", "random documents"), ("same", "random documents of the same class")):
        value, interval = found.ratio(name)
        print(f"  {value:.1f} times ({interval.low:.1f} to {interval.high:.1f}) the change without {title}")
    print(f"  the probability of the predicted class falls for {found.fell} of {len(found.ids)} texts")


def _train(run: Any, options: argparse.Namespace) -> Any:  # noqa: ANN401 - a run, imported late
    from nlpviz.run_kinds.left_out import LeavingOut, leave_out
    from nlpviz.runs.own_corpora import UNFINISHED
    from nlpviz.training.left_out import SmallTraining
    from nlpviz.training.produce import writing

    folder, began = run.folder.parent / UNFINISHED / f"{run.name}-left-out", monotonic()
    minutes = options.minutes or float("inf")
    asked = LeavingOut(options.count, options.texts, options.draws)
    short = SmallTraining(options.epochs, options.words, options.batch, options.every)
    with writing(run.folder.parent):
        done = leave_out(run, asked, short, folder, teller(options), lambda: monotonic() - began < 60 * minutes)
        if done is not None:
            shutil.rmtree(folder)
    return done


def _facts(found: LeftOut) -> dict[str, Any]:
    return {
        "run": found.run,
        "left_out": found.count,
        **as_json(found, "documents", "training", "seconds"),
        "texts": [
            {"id": name, "class": one, "whole": whole, "without_top": top}
            for name, one, whole, top in zip(found.ids, found.classes, found.whole, found.top, strict=True)
        ],
        "moved": {name: abs(found.moved(name)).mean() for name in ("top", "random", "same")},
        "times_random": found.ratio()._asdict(),
        "times_same_class": found.ratio("same")._asdict(),
        "fell": found.fell,
    }


COMMAND = Command(
    "leave-out", "retrain without the most influential documents and measure the change", _add_arguments, _run
)
