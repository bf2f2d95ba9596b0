"""``toy TASK --cell …``: trains networks on a toy task, and shows their curves beside what needs no memory."""

from __future__ import annotations

import argparse
import platform
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from nlpviz.commands import Command, UsageError, add_json, named, positive, print_json, say
from nlpviz.commands.as_json import as_json

if TYPE_CHECKING:
    from nlpviz.experiments.toys import ToyTask
    from nlpviz.results.toys import Reached, ToyCurve, ToyPoint

_LINES = 8  # of a curve, in words
_MOST = 20_000  # steps


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("task", help="toy task, for example identical-halves")
    cells = parser.add_mutually_exclusive_group()
    cells.add_argument("--cell", action="append", help="network, for example lstm; may be repeated")
    cells.add_argument("--all-cells", action="store_true", help="train every network")
    parser.add_argument("--length", type=int, help="sequence length (default: set by the task)")
    parser.add_argument("--steps", type=positive, help="number of training steps (default: set by the task)")
    parser.add_argument("--seed", type=int, default=0, help="seed for weights and sequences (default: 0)")
    parser.add_argument(
        "--seeds",
        type=positive,
        default=1,
        help="number of training runs, with consecutive seeds from --seed (default: 1)",
    )
    parser.add_argument(
        "--rate", type=float, help="initial learning rate of Adam (default: depends on task and network)"
    )
    parser.add_argument("--write", action="store_true", help="store the curves for the page")
    add_json(parser)


def _run(options: argparse.Namespace) -> None:
    from nlpviz.experiments.toys import ToyError, toy_tasks

    task = named(toy_tasks(), options.task, "toy task")
    try:
        length = task.allowed(task.length if options.length is None else options.length)
        steps = options.steps or task.schedule.steps
        if steps > _MOST:
            raise ToyError(f"--steps must be at most {_MOST:,}, not {steps:,}.")
        if options.rate is not None and not 0 < options.rate <= 1:
            raise ToyError("--rate must be greater than 0 and at most 1.")
        if not 0 <= options.seed < 2**31:
            raise ToyError("--seed must be between 0 and 2,147,483,647.")
        curves = list(_trained(task, length, steps, options))
    except ToyError as error:
        raise UsageError(str(error)) from None
    if options.write:
        from nlpviz.experiments.toys.stored import write_curves

        write_curves(task.name, curves, length=length, steps=steps, device=_device())
    if options.json:
        print_json(_facts(task, length, curves))
        return
    print("\n".join(_in_words(task, length, curves)))


def _trained(task: ToyTask, length: int, steps: int, options: argparse.Namespace) -> Iterator[ToyCurve]:
    """Yield the curve of each network and seed; the progress goes to standard error."""
    import torch
    from tqdm import tqdm

    from nlpviz.experiments.toys.networks import entrant, entrants
    from nlpviz.experiments.toys.race import is_noted
    from nlpviz.experiments.toys.training import ToySettings, ToyTraining

    torch.set_num_threads(1)
    names = list(entrants()) if options.all_cells else options.cell or ["lstm"]
    for name in names:
        entrant(name)  # a wrong one is said before anything is trained
    for name in dict.fromkeys(names):
        for seed in range(options.seed, options.seed + options.seeds):
            training = ToyTraining(task, name, ToySettings(length, steps, options.rate, seed))
            shown = tqdm(range(steps), f"{name}, seed {seed}", file=sys.stderr, disable=options.json, leave=False)
            for _ in shown:
                training.step()
                if is_noted(training.steps) or training.over:
                    training.note()
            curve = training.curve(task.tested)
            if not options.json:
                say(f"{name}, seed {seed}: {curve.seconds:.0f} s")
            yield curve


def _facts(task: ToyTask, length: int, curves: Sequence[ToyCurve]) -> dict[str, Any]:
    """Return the curves as JSON holds them."""
    return {
        "task": task.name,
        "length": length,
        "without_memory": task.chance(length)._asdict(),
        "curves": [
            {
                **as_json(curve, "network", "seed", "parameters"),
                "seconds": round(curve.seconds, 2),
                "learning": [{"step": point.step, **point.reached._asdict()} for point in curve.learning],
                "lengths": [
                    {
                        "length": point.length,
                        **point.reached._asdict(),
                        "without_memory": task.chance(point.length)._asdict(),
                    }
                    for point in curve.lengths
                ],
            }
            for curve in curves
        ],
    }


def _in_words(task: ToyTask, length: int, curves: Sequence[ToyCurve]) -> Iterator[str]:
    """Yield what a person wants to read: some points of each curve, and at the end what needs no memory."""
    facts = task.facts
    yield f"{facts.title}, {length} {facts.unit}"
    for curve in curves:
        yield f"{curve.title}, seed {curve.seed}, {curve.parameters:,} parameters, {curve.seconds:.1f} s"
        count = len(curve.learning)
        places = sorted({round(place * (count - 1) / (_LINES - 1)) for place in range(_LINES)})
        for place in places:
            yield f"  step {curve.learning[place].step:6,}  {_numbers(task, curve.learning[place].reached)}"
        for point in curve.lengths:
            yield f"  {_of_length(task, point)}"
    yield f"{facts.without[:1].upper()}{facts.without[1:]}: {_numbers(task, task.chance(length))}"


def _of_length(task: ToyTask, point: ToyPoint) -> str:
    without = task.chance(point.length)
    return (
        f"{point.length:3} {task.facts.unit}: {_numbers(task, point.reached)}  ({task.facts.without}: "
        f"{without.error:.1%})"
    )


def _numbers(task: ToyTask, reached: Reached) -> str:
    if not task.of_classes:
        return f"{task.facts.loss} {reached.loss:.4f}"
    facts = task.facts
    return f"{facts.loss} {reached.loss:.3f}  {facts.error} {reached.error:.1%}  all correct {reached.exact:.1%}"


def _device() -> str:
    return f"cpu: 1 thread, {platform.machine()}"


COMMAND = Command(
    "toy", "train networks on a toy task and compare their learning curves with the chance level", _add_arguments, _run
)
