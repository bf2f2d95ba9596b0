"""``tape RUN``: one sequence as a network answers it, and what its heads do at every step."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from nlpviz.commands import Command, UsageError, add_run, positive, print_json, run_for
from nlpviz.commands.as_json import as_json
from nlpviz.results.tape import READ, WRITE, TapeReading

if TYPE_CHECKING:
    from nlpviz.results.tape import SequenceReading

_STAGES = ("content", "gated", "shifted", "weights")
_EMITTED = ("strength", "gate", "shift", "sharpening")


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_run(parser)
    parser.add_argument("--length", type=int, help="sequence length (default: the longest training length)")
    parser.add_argument(
        "--number", type=positive, default=1, help="which test sequence of that length to show (default: 1)"
    )
    parser.add_argument("--epoch", type=int, help="epoch of the checkpoint (default: the best epoch)")


def _run(options: argparse.Namespace) -> None:
    run = run_for("tape", options.run)
    from nlpviz.analysis.inspection.tape import read_sequence
    from nlpviz.data import DataError
    from nlpviz.runs.transducers import load_transducer, task_of

    epoch = run.check_epoch(run.best_epoch if options.epoch is None else options.epoch)
    try:
        length = task_of(run).trained[-1] if options.length is None else task_of(run).allowed(options.length)
        read = read_sequence(run, epoch, load_transducer(run, epoch), length, options.number - 1)
    except DataError as error:
        raise UsageError(str(error)) from None
    if options.json:
        print_json(_facts(read, options.number))
        return
    print("\n".join(_in_words(read)))


def _facts(read: SequenceReading, number: int) -> dict[str, Any]:
    """Return the sequence as JSON holds it: with a tape, weightings as (T, 2, N), the reading head first."""
    taped = (*_STAGES, *_EMITTED) if isinstance(read, TapeReading) else ()
    return {
        **as_json(read, "run", "epoch", "task", "length"),
        "number": number,
        "bits_wrong": read.wrong.sum(),
        "bits": read.wrong.size,
        **as_json(read, "inputs", "targets"),
        **{name: values.round(6) for name, values in as_json(read, "answers", *taped).items()},
    }


def _in_words(read: SequenceReading) -> list[str]:
    """Return what a person wants to read: a line for each step."""
    wrong = read.wrong
    lines = [f"{read.run}, epoch {read.epoch}: {int(wrong.sum())} of {wrong.size} bits wrong"]
    taped = isinstance(read, TapeReading)
    heads = "   write at  gate   read at  gate" if taped else ""
    width = max(read.inputs.shape[1], 4)
    lines.append(f"  step  {'read':{width}}  {'answer':{max(read.answers.shape[1], 6)}}{heads}")
    for step in range(read.steps):
        bits = "".join("1" if bit > 0.5 else "." for bit in read.inputs[step])
        asked = step - read.asked
        said = "".join("1" if bit > 0.5 else "0" for bit in read.answers[step]) if asked >= 0 else ""
        line = f"  {step + 1:>4}  {bits:{width}}  {said:{max(read.answers.shape[1], 6)}}"
        if isinstance(read, TapeReading):
            for head in (WRITE, READ):
                line += f"   {int(read.at[step, head]) + 1:>7}  {float(read.gate[step, head]):.2f}"
        lines.append(line + (f"   {int(wrong[asked].sum())} wrong" if asked >= 0 and wrong[asked].any() else ""))
    return lines


COMMAND = Command(
    "tape", "show how a network with an external memory (tape) processes a sequence, step by step", _add_arguments, _run
)
