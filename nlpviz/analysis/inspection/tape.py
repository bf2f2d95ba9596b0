"""One sequence as a network processes it, step by step: its outputs, and how its heads read and write the tape."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from nlpviz.networks.architectures import Taped, Transducer
from nlpviz.results.tape import SequenceReading, TapeReading
from nlpviz.runs import Run
from nlpviz.runs.transducers import task_of


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


def _numbers(values: Tensor) -> NDArray[np.float32]:
    return np.array(values.float().numpy())
