"""How often a network answers sequences of bits wrongly: bit by bit, and by length."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import torch
from numpy.typing import NDArray

from nlpviz.data.bits import BitBatch, BitTask
from nlpviz.networks.architectures import Transducer
from nlpviz.results.tape import LengthError

_ROWS = 50
"""Sequences that are answered at once."""


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
