"""The layers of a recurrent network over one text, side by side.

One text's step is a product of a vector and a matrix, which takes as long as reading the matrix. A layer needs of the
one below only what that has read already: so layer l reads a piece of the text while layer l - 1 reads the next piece,
and the layers' products of a step are a batch of which each core takes its own (Appleyard, Kočiský and Blunsom 2016,
*Optimizing Performance of Recurrent Neural Networks on GPUs*). A single layer's columns are parted among the cores.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch
from torch import Tensor

from nlpviz.cells import RecurrentCell, State

PIECE = 20
"""Words of a piece: of a longer one, the layers take longer to be all at work; of a shorter one, its products of all
inputs at once are small."""


def read_one_text(cells: Sequence[RecurrentCell], inputs: Tensor, start: Sequence[State]) -> tuple[Tensor, list[State]]:
    """Return the last layer's hidden states (T, H) over ``inputs`` (T, D), and the state of each layer after them.

    Args:
        cells: of one kind and as many units, from the first layer up; no graph is kept.
        inputs: of one text.
        start: each layer's state before the first word, (1, H) each.
    """
    weights = [cell.recurrent_weights for cell in cells]
    # As many parts as there are cores, if they can be as wide as each other; several layers are enough parts.
    parts = math.gcd(torch.get_num_threads(), weights[0].shape[1]) if len(cells) == 1 else 1
    batch = torch.stack([part for one in weights for part in one.chunk(parts, dim=1)])
    state = tuple(torch.cat(one) for one in zip(*start, strict=True))  # (L, H)
    head = len(inputs) % PIECE  # pieces that are read side by side are of one length
    read = [_in_pieces(cells, batch, words, state) for words in (inputs[:head], inputs[head:]) if len(words)]
    return torch.cat(read), [tuple(one[layer : layer + 1] for one in state) for layer in range(len(cells))]


def _in_pieces(cells: Sequence[RecurrentCell], weights: Tensor, inputs: Tensor, state: State) -> Tensor:
    """Return the last layer's hidden states over pieces of one length; ``state``, (L, H) each, is that after them."""
    layers, read = len(cells), []
    entered: list[list[Tensor]] = [[] for _ in cells]  # what each layer reads, piece by piece
    entered[0] += torch.split(cells[0].enter(inputs), PIECE)
    pieces = len(entered[0])
    for turn in range(pieces + layers - 1):
        first, stop = max(turn - pieces + 1, 0), min(turn + 1, layers)  # the layers with a piece to read
        pre = torch.stack([entered[layer][turn - layer] for layer in range(first, stop)], dim=1)
        own = weights if layers == 1 else weights[first:stop]
        after = _side_by_side(cells[0], own, pre, tuple(one[first:stop] for one in state))
        for layer, hidden in enumerate(after[0].unbind(dim=1), start=first + 1):
            if layer < layers:
                entered[layer].append(cells[layer].enter(hidden))
            else:
                read.append(hidden)
        for whole, states in zip(state, after, strict=True):
            whole[first:stop] = states[-1]
    return torch.cat(read)


def _side_by_side(cell: RecurrentCell, weights: Tensor, pre: Tensor, before: State) -> State:
    """Return the states (S, A, H) after each of S steps of A layers.

    Args:
        cell: whose equations they are.
        weights: N matrices, one for each layer, or the parts of a single one's.
        pre: pre-activations (S, A, G * H) of the inputs; they become activations.
        before: the states (A, H) before the first step.
    """
    steps, layers, _ = pre.shape
    states = tuple(torch.cat([one.unsqueeze(0), pre.new_empty(steps, layers, cell.units)]) for one in before)
    recurring = pre[..., cell.columns(cell.recurring)].view(steps, layers, len(weights) // layers, -1)
    recurring = recurring.transpose(1, 2) if layers == 1 else recurring  # (S, N, 1, G * H / parts)
    hidden = states[0].expand(-1, len(weights), -1).unsqueeze(2)  # (S + 1, N, 1, H)
    path = [*zip(*states, strict=True)]
    for activations, product, shown, here, there in zip(pre, recurring, hidden[:-1], path[:-1], path[1:], strict=True):
        product.baddbmm_(shown, weights)
        cell.ahead(activations, here, there)
    return tuple(one[1:] for one in states)
