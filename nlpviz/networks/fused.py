"""A cell taken through a text by PyTorch's kernel: the same states and gradients as step by step, and no gates.

On a GPU a step of a cell that is written out is a dozen launches, and a text hundreds of steps; cuDNN reads all of them
in a few launches (Appleyard, Kočiský and Blunsom 2016). PyTorch chooses the kernel by the device. Each call reads one
layer in one direction: what is dropped between layers, and how texts are turned round, stays as it is.
"""

from __future__ import annotations

import warnings
from typing import Any

import torch
from torch import Tensor

from nlpviz.networks.cells import RecurrentCell, State

# cuDNN wants its weights side by side in its own order, and PyTorch copies ours there at each call: 17 MB for the
# recurrent ones of 1,024 units, which takes a GPU some microseconds.
warnings.filterwarnings("ignore", message="RNN module weights are not part of single contiguous chunk of memory")


def is_fused(cell: RecurrentCell, inputs: Tensor) -> bool:
    """Whether a training reads ``inputs`` by PyTorch's kernel: off the CPU, if there is one for the cell."""
    return bool(cell.kernel) and not inputs.is_cpu


def read_fused(
    cell: RecurrentCell, inputs: Tensor, start: State = (), recurrent_weights: Tensor | None = None
) -> tuple[Tensor, State]:
    """Return all hidden states (T, B, H) of ``cell`` over ``inputs`` (T, B, D), and its state after them, (B, H) each.

    The states have gradients by the inputs and the weights. As in :func:`nlpviz.networks.recurrence.through_time`,
    neither the first state nor the last one has any.

    Args:
        cell: one with a :attr:`~nlpviz.networks.cells.RecurrentCell.kernel`.
        inputs: of T steps.
        start: the state before them, (B, H) each; zero where there is none.
        recurrent_weights: in place of the cell's own.
    """
    start = start or tuple(inputs.new_zeros(inputs.shape[1], cell.units) for _ in range(cell.states))
    before = tuple(state.detach().unsqueeze(0).contiguous() for state in start)
    recurrent_weights = cell.recurrent_weights if recurrent_weights is None else recurrent_weights
    weights = [one.contiguous() for one in cell.kernel_weights(recurrent_weights)]
    kernel: Any = getattr(torch, cell.kernel)
    training = torch.is_grad_enabled()  # in evaluation mode, too: cuDNN keeps what gradients need in training alone
    state = before if cell.states > 1 else before[0]
    # with biases, one layer, no dropout, training or not, one direction, time first
    states, *after = kernel(inputs, state, weights, True, 1, 0.0, training, False, False)
    return states, tuple(one.detach().squeeze(0) for one in after)
