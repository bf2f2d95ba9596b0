"""One sequence as a network answers it, step by step: what it answers, and what its heads do on the tape."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from nlpviz.data import DataError
from nlpviz.data.bits import BitBatch, BitTask, bit_tasks
from nlpviz.models import Taped, Transducer
from nlpviz.results.tape import LengthError, SequenceReading, TapeReading
from nlpviz.runs import Run

_ROWS = 50
"""Sequences that are answered at once."""


def task_of(run: Run) -> BitTask:
    """Return the task that a run learnt.

    Raises:
        DataError: if this version does not know it.
    """
    name, known = run.corpus["name"], bit_tasks()
    if name not in known:
        raise DataError(f"The run {run.name!r} learnt the task {name!r}; known are {', '.join(known)}.")
    return known[name]


def read_sequence(run: Run, epoch: int, module: Any, length: int, number: int = 0) -> SequenceReading:  # noqa: ANN401
    """Return how a network answers a test sequence; a :class:`TapeReading` where it has a tape.

    Args:
        run: the network's.
        epoch: its epoch.
        module: the network.
        length: of the sequence.
        number: which test sequence of that length, from 0.

    Raises:
        DataError: if no sequence has this length.
    """
    task = task_of(run)
    batch = task.held_out("test", task.allowed(length), number + 1)
    inputs, targets = batch.inputs[-1], batch.targets[-1]
    read = torch.from_numpy(inputs)[None]
    with torch.inference_mode():
        if not isinstance(module, Taped):
            answers = cast("Transducer", module).answer(read)[0].sigmoid()
            return SequenceReading(run.name, epoch, task.name, length, inputs, targets, _numbers(answers))
        state, steps = module.begin(1), []
        for step in read.unbind(dim=1):
            steps.append(module.step(step, state))
            state = steps[-1].state
        heads = [_numbers(torch.cat(list(values))) for values in zip(*(one.addressed for one in steps), strict=True)]
        answers = torch.cat([one.logits for one in steps]).sigmoid()
        tape = torch.cat([one.state.tape for one in steps])
    content, gated, shifted, weights, strength, gate, shift, sharpening = heads
    return TapeReading(
        run.name, epoch, task.name, length, inputs, targets, _numbers(answers),
        content=content, gated=gated, shifted=shifted, weights=weights, strength=strength, gate=gate, shift=shift,
        sharpening=sharpening, tape=_numbers(tape),
    )  # fmt: skip


def length_error(module: Any, task: BitTask, epoch: int, length: int, count: int, split: str) -> LengthError:  # noqa: ANN401
    """Return how often a network answers the first ``count`` sequences of a length of a split wrongly."""
    wrong = bits_wrong(module, task.held_out(split, length, count))
    return LengthError(epoch, length, count, float(wrong.mean()), float((~wrong.any(axis=(1, 2))).mean()))


def bits_wrong(module: Any, batch: BitBatch) -> NDArray[np.bool_]:  # noqa: ANN401
    """Return which bits (B, R, K) of the answers to a batch are wrong."""
    network, found = cast("Transducer", module), []
    with torch.inference_mode():
        for first in range(0, len(batch.inputs), _ROWS):
            inputs = torch.from_numpy(batch.inputs[first : first + _ROWS])
            targets = torch.from_numpy(batch.targets[first : first + _ROWS])
            answers = network.answer(inputs)[:, -targets.shape[1] :]
            found.append(((answers > 0) != (targets > 0.5)).numpy())
    return np.concatenate(found)


def _numbers(values: Tensor) -> NDArray[np.float32]:
    return np.array(values.float().numpy())
