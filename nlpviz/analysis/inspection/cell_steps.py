"""The equations of a cell with the numbers of one unit at one word: each pre-activation split into its summands.

The word's part x_t W, the state's part h_{t-1} U and the bias are computed from the weights, anew and for this step
alone; tests hold the state that they lead to against the one that the network had.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from nlpviz.networks.architectures.qrnn import QuasiRecurrentCell, QuasiRecurrentNetwork
from nlpviz.networks.architectures.tcn import CausalConvolution, TemporalBlock, TemporalConvolutions
from nlpviz.networks.cells import RecurrentCell
from nlpviz.networks.recurrence import RecurrentNetwork
from nlpviz.networks.skip_rnn import SkipCell
from nlpviz.results.cell_step import CellStep
from nlpviz.results.states import TextStates
from nlpviz.runs import TrainedModel

Numbers = dict[str, tuple[float, ...]]


def read_step(trained: TrainedModel, states: TextStates, position: int, layer: int, unit: int) -> CellStep:
    """Return every number in a cell's equations for one unit at one word.

    The numbers of this step are recomputed from the weights.

    Args:
        trained: the network that read the text.
        states: its states, from :func:`nlpviz.analysis.inspection.states.read_states`.
        position: the position of the word among the tokens read, counted from 0.
        layer: the layer, counted from 0.
        unit: the unit, counted from 0.

    Returns:
        The equations in TeX, and the value of each symbol in them.

    Raises:
        IndexError: if the word, the layer or the unit does not exist.

    Example:
        >>> from nlpviz.analysis.inspection.cell_steps import read_step
        >>> from nlpviz.analysis.inspection.states import read_states
        >>> from nlpviz.runs import open_run
        >>> model = open_run("imdb-lstm").load()
        >>> step = read_step(model, read_states(model, "Not a good film."), position=3, layer=0, unit=0)
        >>> step.word, round(step.value("f_t"), 2)
        ('film', 0.48)
    """
    if not (0 <= position < len(states.states) and 0 <= layer < states.layers and 0 <= unit < states.units):
        raise IndexError("no such word in the text, or no such layer or unit in the network")
    module: Any = trained.module
    with torch.inference_mode():
        if layer:
            inputs = torch.from_numpy(states.states[:, layer - 1].copy())
        else:
            inputs = module.embed(torch.from_numpy(states.text.row).unsqueeze(0))[0]
        if isinstance(module.encoder, RecurrentNetwork):
            numbers = _of_recurrence(module.encoder, inputs, module.begin(), (position, layer, unit))
        else:
            numbers = _of_convolution(module.encoder, inputs, states, (position, layer, unit))
    return CellStep(
        run=states.run,
        epoch=states.epoch,
        word=states.text.read[position].name,
        position=position,
        layer=layer,
        unit=unit,
        formula=tuple(one for line in states.formula for one in line.split(r", \quad ")),
        numbers=numbers,
    )


def _of_convolution(encoder: object, inputs: Tensor, states: TextStates, at: tuple[int, int, int]) -> Numbers:
    """Return the numbers of the layer that reads ``inputs`` (T, D), ``at`` a position, layer and unit."""
    position, layer, unit = at
    if isinstance(encoder, QuasiRecurrentNetwork):
        before = float(states.parts["cell state"][position - 1, layer, unit]) if position else 0.0
        return _of_quasi_recurrence(encoder.cells[layer], inputs, before, position, unit)  # type: ignore[arg-type]
    if isinstance(encoder, TemporalConvolutions):
        return _of_block(encoder.blocks[layer], inputs[: position + 1], unit)  # type: ignore[arg-type]
    return {}


# ------------------------------------------------------------------------------------------------- recurrent cells


def _of_recurrence(network: RecurrentNetwork, inputs: Tensor, begun: Tensor, at: tuple[int, int, int]) -> Numbers:
    """Return the numbers of a layer that reads ``inputs`` (T, D), of a network whose texts begin in a state (S,)."""
    position, layer, unit = at
    units = network.cell.units
    backward = unit >= units
    if backward:  # the second direction reads the text from its end
        inputs, position, unit = inputs.flip(0), len(inputs) - 1 - position, unit - units
    cell: Any = (network.back if backward else network.onward)[layer]
    if isinstance(cell, SkipCell):
        return _of_skip(cell, inputs[: position + 1], unit)
    own = begun.chunk(network.layers)[layer].unsqueeze(0)  # the same in both directions: zero
    before = own.chunk(cell.states, dim=1)
    for one in inputs[:position]:
        before = cell.step(one.unsqueeze(0), before).state
    numbers, state = _of_cell(cell, inputs[position : position + 1], before, unit)
    return numbers | {"h_t": (float(state[0][0, unit]),)}


def _of_cell(
    cell: RecurrentCell, inputs: Tensor, before: tuple[Tensor, ...], unit: int
) -> tuple[Numbers, tuple[Tensor, ...]]:
    """Return the numbers of one step of ``inputs`` (1, D) and the state after it, each (1, H)."""
    entered, returned = inputs @ cell.input_weights, before[0] @ cell.recurrent_weights
    entering, recurring = range(cell.blocks)[cell.entering], range(cell.blocks)[cell.recurring]
    apart = next((block for block in recurring if block not in entering), None)  # h U of what a gate is put before
    numbers: Numbers = {}
    for symbol, block in _blocks(cell).items():
        own = f"_{symbol}" if symbol else ""
        numbers[f"x_t W{own}"] = (_at(entered, block - entering.start, cell.units, unit),)
        numbers[f"b{own}"] = (float(cell.bias[block * cell.units + unit]),)
        other = block if block in recurring else apart
        if other is not None:
            numbers[f"h_{{t-1}} U{own}"] = (_at(returned, other - recurring.start, cell.units, unit),)
            if other != block:
                numbers[f"b{own}'"] = (float(cell.bias[other * cell.units + unit]),)
    stepped = cell.step(inputs, before)
    for part in cell.parts:
        numbers[f"{part.symbol}_t"] = (float(stepped.parts[part.name][0, unit]),)
    for symbol, state in zip("hc", before, strict=False):
        numbers[f"{symbol}_{{t-1}}"] = (float(state[0, unit]),)
    return numbers, stepped.state


def _blocks(cell: RecurrentCell) -> dict[str, int]:
    """Return which block of pre-activations becomes the part with each symbol: the cell is asked, by numbered blocks.

    A cell without parts has one block, whose weights have no subscript. What is no activation has no weights either.
    """
    if not cell.parts:
        return {"": 0}
    numbered = torch.arange(cell.blocks, dtype=torch.float32).repeat_interleave(cell.units).unsqueeze(0)
    nowhere = torch.full((1, cell.units), -1.0)
    parts = cell.parts_of(numbered, (nowhere,) * cell.states)
    found = {part.symbol.removeprefix(r"\bar "): int(parts[part.name][0, 0]) for part in cell.parts}
    return {symbol: block for symbol, block in found.items() if block >= 0}


def _of_skip(skip: SkipCell, inputs: Tensor, unit: int) -> Numbers:
    """Return the numbers of the last step over ``inputs`` (T, D)."""
    zeros = tuple(inputs.new_zeros(1, skip.units) for _ in range(skip.states))
    before: tuple[Tensor, ...] = (*zeros, inputs.new_ones(1, 1))
    for one in inputs[:-1]:
        before = skip.step(one.unsqueeze(0), before)[0]
    numbers, proposed = _of_cell(skip.cell, inputs[-1:], before[:-1], unit)
    after, update = skip.step(inputs[-1:], before)
    hidden = after[0]
    leaning = (hidden @ skip.gate_weights)[0, 0]
    own: dict[str, Tensor] = {
        r"\hat h_t": proposed[0][0, unit],
        "h_t": hidden[0, unit],
        r"\hat s_t": proposed[0][0, unit],
        "s_{t-1}": before[0][0, unit],
        "s_t": hidden[0, unit],
        r"\tilde u_t": before[-1][0, 0],
        "u_t": update[0, 0],
        r"h_t \cdot w": leaning,
        "b": skip.gate_bias[0],
        r"\Delta \tilde u_t": torch.sigmoid(leaning + skip.gate_bias)[0],
        r"\tilde u_{t+1}": after[-1][0, 0],
    }
    return numbers | {symbol: (float(value),) for symbol, value in own.items()}


def _at(blocks: Tensor, block: int, units: int, unit: int) -> float:
    """Return the entry of a unit in one of the blocks of ``blocks`` (1, G * H)."""
    return float(blocks[0, block * units + unit])


# ---------------------------------------------------------------------------------------------------- convolutions


def _of_quasi_recurrence(cell: QuasiRecurrentCell, inputs: Tensor, before: float, position: int, unit: int) -> Numbers:
    """Return the numbers of a step over ``inputs`` (T, D) from the cell state ``before`` it."""
    here = inputs[position : position + 1]
    earlier = inputs[position - 1 : position] if position else torch.zeros_like(here)
    now, then = here @ cell.weights, earlier @ cell.earlier
    gates = dict(zip("zfo", cell.gates(earlier, here), strict=True))
    numbers: Numbers = {}
    for block, symbol in enumerate("zfo"):
        numbers[f"x_t W_{symbol}"] = (_at(now, block, cell.units, unit),)
        numbers[f"x_{{t-1}} W_{symbol}'"] = (_at(then, block, cell.units, unit),)
        numbers[f"b_{symbol}"] = (float(cell.bias[block * cell.units + unit]),)
        numbers[f"{symbol}_t"] = (float(gates[symbol][0, unit]),)
    candidate, forget, leave = (numbers[f"{symbol}_t"][0] for symbol in "zfo")
    after = forget * before + (1 - forget) * candidate
    return numbers | {"c_{t-1}": (before,), "c_t": (after,), "h_t": (leave * after,)}


def _of_block(block: TemporalBlock, inputs: Tensor, unit: int) -> Numbers:
    """Return the numbers of a block at the last of ``inputs`` (T, D)."""
    below = inputs.unsqueeze(1)  # (T, 1, D)
    middle = torch.relu(block.first(below))
    summed = {
        r"\sum_j h^{l-1}_{t - 2^l j} W^l_j": _taps(block.first, inputs, unit),
        r"\sum_j u^l_{t - 2^l j} V^l_j": _taps(block.second, middle[:, 0], unit),
    }
    biases = {"b^l": float(block.first.bias[unit]), "c^l": float(block.second.bias[unit])}  # type: ignore[index]
    through = float(torch.relu(block.second(middle))[-1, 0, unit])
    past = float(block.skip(below)[-1, 0, unit])
    own = {"u^l_t": float(middle[-1, 0, unit]), "v^l_t": through, "h^{l-1}_t": past, "h^l_t": max(past + through, 0.0)}
    return summed | {symbol: (value,) for symbol, value in (biases | own).items()}


def _taps(convolution: CausalConvolution, rows: Tensor, unit: int) -> tuple[float, ...]:
    """Return what each of the inputs (T, D) that a filter reads at the last step adds, the last one first."""
    read = rows.flip(0)[:: convolution.dilation[0]]
    taps = convolution.weight[unit].T.flip(0)  # (k, D)
    added = [float(tap @ row) for tap, row in zip(taps, read, strict=False)]
    return (*added, *[0.0] * (len(taps) - len(added)))
