"""One sequence of a toy task as a network in training reads it: its answers, its states, its gates."""

from __future__ import annotations

import numpy as np
import torch

from nlpviz.experiments.toys import ToyTask
from nlpviz.experiments.toys.networks import whole
from nlpviz.experiments.toys.training import ToyTraining
from nlpviz.results.toys import ToyReading

CLOSE = 0.04
"""How far a value may be off and is still right (Hochreiter and Schmidhuber 1997, experiment 4)."""
EXAMPLES = 1_000


def read_example(training: ToyTraining, number: int) -> ToyReading:
    """Return how the network reads the example with this number (from 0), which is the same for all networks."""
    task, length = training.task, training.settings.length
    batch = task.draw(np.random.default_rng([length, 2**31 + 1]), 1 + number % EXAMPLES, length)
    inputs = torch.from_numpy(batch.inputs[-1:])
    with torch.inference_mode():
        scores = training.network(inputs)[0]  # (T, K)
        unrolled = training.network.encoder.unroll(inputs, whole(inputs))
    steps = len(scores)
    asked, targets = steps - batch.targets.shape[1], batch.targets[-1]
    counted = steps - task.counted(length)
    if task.of_classes:
        chosen = scores.argmax(dim=1).numpy()
        sure = scores.softmax(dim=1).amax(dim=1).float().numpy().copy()
        right = chosen[asked:] == targets
    else:
        chosen = scores[:, 0].float().numpy()
        sure = np.full(steps, np.nan, dtype=np.float32)
        right = np.abs(chosen[asked:] - targets) < CLOSE
    return ToyReading(
        network=training.name,
        title=training.title,
        step=training.steps,
        symbols=task.symbols(batch.inputs[-1]),
        targets=("",) * asked + tuple(_said(task, target) for target in targets),
        answers=tuple(_said(task, answer) for answer in chosen),
        sure=sure,
        right=(None,) * counted + tuple(bool(one) for one in right[counted - asked :]),
        states=np.array(unrolled.states[0, :, -1].float().numpy()),
        parts={name: np.array(values[0, :, -1].float().numpy()) for name, values in unrolled.parts.items()},
        about=training.network.encoder.parts,
    )


def _said(task: ToyTask, answer: np.integer | np.floating) -> str:
    """Return a class by its name, a value with two decimals."""
    return task.names[int(answer)] if task.of_classes else f"{float(answer):.2f}".replace("-", "−")
