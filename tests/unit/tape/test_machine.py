"""A neural Turing machine does what the paper's equations say, whatever stands beside it in the batch."""

from __future__ import annotations

from typing import cast

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from torch import nn

from nlpviz.networks.architectures import Taped, Transducer, transducers
from nlpviz.networks.architectures.neural_turing_machine import (
    MachineState,
    NeuralTuringMachine,
    NeuralTuringMachineConfig,
)

Numbers = NDArray[np.float64]


def machine(controller: str = "lstm") -> NeuralTuringMachine:
    torch.manual_seed(0)
    config = NeuralTuringMachineConfig(inputs=4, outputs=3, controller=controller, units=5, cells=6, width=4)
    built = NeuralTuringMachine(config).double().eval()
    nn.init.normal_(built.first_weights)  # a trained one does not begin evenly
    return built


def softmax(values: Numbers) -> Numbers:
    exp = np.exp(values - values.max())
    return cast("Numbers", exp / exp.sum())


def by_hand(emitted: Numbers, before: Numbers, tape: Numbers) -> Numbers:
    """Return the weighting of one head, cell by cell, as section 3.3 has it."""
    cells, width = tape.shape
    key = np.tanh(emitted[:width])
    strength, gate = np.log1p(np.exp(emitted[width])), 1 / (1 + np.exp(-emitted[width + 1]))
    back, stay, on = softmax(emitted[width + 2 : width + 5])
    sharpening = 1 + np.log1p(np.exp(emitted[width + 5]))
    likeness = np.array([key @ cell / (np.linalg.norm(key) * np.linalg.norm(cell)) for cell in tape])
    gated = gate * softmax(strength * likeness) + (1 - gate) * before
    moved = np.zeros(cells)
    for cell in range(cells):
        moved[(cell - 1) % cells] += back * gated[cell]
        moved[cell] += stay * gated[cell]
        moved[(cell + 1) % cells] += on * gated[cell]
    return cast("Numbers", moved**sharpening / (moved**sharpening).sum())


@pytest.mark.parametrize("controller", ["lstm", "feedforward"])
def test_a_step_is_that_of_the_equations(controller: str) -> None:
    built = machine(controller)
    random = torch.Generator().manual_seed(1)
    tape = torch.randn(1, 6, 4, generator=random, dtype=torch.float64)
    first = built.begin(1)
    state = MachineState(tape, first.weights, first.read, first.controller)
    inputs = torch.tensor([[1.0, 0.0, 1.0, 0.0]], dtype=torch.float64)
    with torch.no_grad():
        done = built.step(inputs, state)
        hidden, _ = built._control(torch.cat([inputs, state.read], dim=1), state.controller)
        emitted = built.heads(hidden)[0].numpy()
    each = 4 + 6
    cells = tape[0].numpy()
    before = first.weights[0].detach().numpy()
    reading = by_hand(emitted[:each], before[0], cells)
    writing = by_hand(emitted[each : 2 * each], before[1], cells)
    np.testing.assert_allclose(done.addressed.weights[0].numpy(), [reading, writing], atol=1e-9)
    np.testing.assert_allclose(done.state.read[0].numpy(), reading @ cells, atol=1e-9)
    erase = 1 / (1 + np.exp(-emitted[2 * each : 2 * each + 4]))
    add = np.tanh(emitted[2 * each + 4 :])
    after = np.array([cell * (1 - weight * erase) + weight * add for cell, weight in zip(cells, writing, strict=True)])
    np.testing.assert_allclose(done.state.tape[0].numpy(), after, atol=1e-9)


def test_weightings_sum_to_one_and_a_batch_equals_its_rows() -> None:
    built = machine()
    inputs = torch.randint(2, (3, 7, 4), generator=torch.Generator().manual_seed(2)).double()
    with torch.no_grad():
        answers = built.answer(inputs)
        rows = torch.cat([built.answer(row[None]) for row in inputs])
        state = built.begin(3)
        for step in inputs.unbind(dim=1):
            done = built.step(step, state)
            state = done.state
            for stage in done.addressed[:4]:
                np.testing.assert_allclose(stage.sum(dim=2), 1, atol=1e-6)
    np.testing.assert_allclose(answers, rows, atol=1e-9)
    np.testing.assert_allclose(answers[:, -1], done.logits, atol=1e-12)


@pytest.mark.parametrize("name", transducers())
def test_every_transducer_answers_from_the_past_alone_and_by_all_of_its_weights(name: str) -> None:
    known = transducers()[name]
    torch.manual_seed(0)
    network = known.build(known.config(inputs=4, outputs=3))
    assert isinstance(network, Transducer)
    assert sum(count for _, _, count in network.parameter_terms()) == sum(p.numel() for p in network.parameters())
    inputs = torch.randint(2, (2, 6, 4)).float()
    answers = network.answer(inputs)
    assert answers.shape == (2, 6, 3)
    other = inputs.clone()
    other[:, 4:] = 1 - other[:, 4:]
    torch.testing.assert_close(network.answer(other)[:, :4], answers[:, :4])
    answers.square().sum().backward()
    assert all(weight.grad is not None and weight.grad.abs().sum() > 0 for weight in network.parameters())


def test_settings_that_make_no_machine_are_refused() -> None:
    with pytest.raises(ValueError, match="one of lstm, feedforward, not 'gru'"):
        NeuralTuringMachineConfig(1, 1, controller="gru")
    with pytest.raises(ValueError, match="the reach of a head"):
        NeuralTuringMachineConfig(1, 1, cells=2)
    assert not isinstance(transducers()["plain-lstm"].build(transducers()["plain-lstm"].config(1, 1)), Taped)
