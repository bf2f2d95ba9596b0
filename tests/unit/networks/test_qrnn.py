"""The quasi-recurrent network against its paper's equations in a plain loop, in double precision."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor, nn

from nlpviz.networks.architectures.qrnn import ForgetPooling, QuasiRecurrentCell, QuasiRecurrentNetwork

STEPS, ROWS = 40, 3


def pooled(candidate: Tensor, forget: Tensor) -> Tensor:
    """Return the cell states by equation 4 of the paper's section 2.1, step by step."""
    before, cells = torch.zeros_like(candidate[0]), []
    for new, kept in zip(candidate, forget, strict=True):
        before = kept * before + (1 - kept) * new
        cells.append(before)
    return torch.stack(cells)


def layer(cell: QuasiRecurrentCell, text: Tensor) -> tuple[Tensor, ...]:
    """Return h, f, o, z, c of (T, B, D) inputs: each of two successive ones, zero before the first."""
    units, gates = cell.units, []
    for step, now in enumerate(text):
        before = text[step - 1] if step else torch.zeros_like(now)
        gates.append(torch.cat([before, now], dim=-1) @ torch.cat([cell.earlier, cell.weights]) + cell.bias)
    pre = torch.stack(gates)
    z, f, o = pre[..., :units].tanh(), pre[..., units : 2 * units].sigmoid(), pre[..., 2 * units :].sigmoid()
    c = pooled(z, f)
    return o * c, f, o, z, c


def network(layers: int) -> QuasiRecurrentNetwork:
    """Return a network whose biases, too, are drawn."""
    torch.manual_seed(12)
    built = QuasiRecurrentNetwork(3, 4, layers).double().eval()
    for cell in built.cells:
        nn.init.normal_(cell.bias)
    return built


def test_pooling_and_its_gradients() -> None:
    torch.manual_seed(13)
    candidate = torch.randn(STEPS, ROWS, 4, dtype=torch.double, requires_grad=True)
    forget = torch.rand(STEPS, ROWS, 4, dtype=torch.double, requires_grad=True)
    ours, theirs = ForgetPooling.apply(candidate, forget), pooled(candidate, forget)
    torch.testing.assert_close(ours, theirs)
    later = torch.randn_like(ours)
    for one, other in zip(
        torch.autograd.grad(ours, [candidate, forget], later),
        torch.autograd.grad(theirs, [candidate, forget], later),
        strict=True,
    ):
        torch.testing.assert_close(one, other)


@pytest.mark.parametrize("layers", [1, 2])
def test_layers_are_the_equations(layers: int) -> None:
    ours = network(layers)
    inputs = torch.randn(STEPS, ROWS, 3, dtype=torch.double, requires_grad=True)
    below, expected = inputs, []
    for cell in ours.cells:
        expected.append(layer(cell, below))
        below = expected[-1][0]
    lengths = torch.full((ROWS,), STEPS)
    states = ours(inputs.transpose(0, 1), lengths)
    torch.testing.assert_close(states, below.transpose(0, 1))
    wanted, later = [inputs, *ours.parameters()], torch.randn_like(below)
    one, other = (torch.autograd.grad(some, wanted, later) for some in (states.transpose(0, 1), below))
    for mine, theirs in zip(one, other, strict=True):
        torch.testing.assert_close(mine, theirs)
    unrolled = ours.unroll(inputs.transpose(0, 1), lengths)
    named = ("forget gate", "output gate", "candidate", "cell state")
    assert tuple(unrolled.parts) == named
    for position, values in enumerate([unrolled.states, *(unrolled.parts[name] for name in named)]):
        told = torch.stack([one[position] for one in expected], dim=2).transpose(0, 1)
        torch.testing.assert_close(values, told)


@pytest.mark.parametrize("layers", [1, 2])
def test_a_step_s_derivative_is_that_of_the_whole(layers: int) -> None:
    """Word by word from a state that holds the word before: what is shown, and how it depends on the first word."""
    ours = network(layers)
    inputs = torch.randn(ROWS, 6, 3, dtype=torch.double, requires_grad=True)
    state, expected = torch.zeros(ROWS, ours.state_size, dtype=torch.double), ours(inputs, torch.full((ROWS,), 6))
    for word in range(6):
        state, shown = ours.advance(inputs[:, word], state)
        torch.testing.assert_close(shown, expected[:, word])
    ours_by, theirs_by = (torch.autograd.grad(some.sum(), inputs)[0] for some in (shown, expected[:, -1]))
    torch.testing.assert_close(ours_by, theirs_by)
    assert theirs_by[:, 0].any()


def test_what_a_unit_remembers_is_the_product_of_its_forget_gates() -> None:
    ours = network(1)
    (cell,) = ours.cells
    text = torch.randn(5, 1, 3, dtype=torch.double)
    _, forget, _, candidate, states = layer(cell, text)
    shares = torch.stack([forget[step + 1 :].prod(dim=0) * (1 - forget[step]) for step in range(5)])
    torch.testing.assert_close((shares * candidate).sum(dim=0), states[-1])


def test_term_counts_two_words_a_gate() -> None:
    counted = network(2).term()
    assert counted.value == 3 * 4 * (2 * 3 + 1) + 3 * 4 * (2 * 4 + 1) == sum(w.numel() for w in network(2).parameters())
