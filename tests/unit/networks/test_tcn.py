"""The temporal convolutional network: its equations by indices, its receptive field, no look ahead."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor, nn

from nlpviz.networks.architectures.tcn import CausalConvolution, TemporalConvolutions


def network(layers: int, kernel: int, units: int = 4) -> TemporalConvolutions:
    """Return a network whose ReLUs are open for some inputs and closed for others."""
    torch.manual_seed(14)
    built = TemporalConvolutions(3, units, layers, kernel, dropout=0.4).double().eval()
    for weights in built.parameters():
        nn.init.normal_(weights, std=0.5)
    return built


def convolved(weights: Tensor, bias: Tensor, rows: list[Tensor], apart: int) -> list[Tensor]:
    """Return ReLU(b + Σ_j W_j x_{t - apart·j}) of each step; the last entry of a filter is that of the step itself."""
    kernel, after = weights.shape[2], []
    for step in range(len(rows)):
        total = bias
        for back in range(kernel):
            if step - apart * back >= 0:
                total = total + weights[:, :, kernel - 1 - back] @ rows[step - apart * back]
        after.append(torch.relu(total))
    return after


@pytest.mark.parametrize(("layers", "kernel", "units"), [(1, 2, 4), (3, 3, 4), (2, 2, 3)])
def test_blocks_are_the_equations(layers: int, kernel: int, units: int) -> None:
    """With as many units as dimensions, the first block has no projection."""
    built = network(layers, kernel, units)
    text = torch.randn(20, 3, dtype=torch.double)
    rows, told = list(text), []
    for level, block in enumerate(built.blocks):
        hidden = convolved(block.first.weight, block.first.bias, rows, 2**level)
        hidden = convolved(block.second.weight, block.second.bias, hidden, 2**level)
        if isinstance(block.skip, nn.Linear):
            rows = [block.skip.weight @ row + block.skip.bias for row in rows]
        rows = [torch.relu(row + new) for row, new in zip(rows, hidden, strict=True)]
        told.append(torch.stack(rows))
    length = torch.tensor([20])
    torch.testing.assert_close(built(text[None], length)[0], told[-1])
    unrolled = built.unroll(text[None], length)
    torch.testing.assert_close(unrolled.states[0], torch.stack(told, dim=1))
    assert unrolled.parts == {}


@pytest.mark.parametrize(("steps", "kernel", "dilation"), [(20, 3, 4), (5, 2, 1), (1, 1, 1), (3, 3, 8), (0, 2, 1)])
def test_a_causal_convolution_is_that_of_pytorch_padded(steps: int, kernel: int, dilation: int) -> None:
    """Outputs and gradients, also where a filter reaches back beyond the first step."""
    torch.manual_seed(3)
    ours = CausalConvolution(3, 4, kernel, dilation=dilation).double()
    theirs = nn.Conv1d(3, 4, kernel, dilation=dilation).double()
    theirs.load_state_dict(ours.state_dict())
    text = torch.randn(steps, 2, 3, dtype=torch.double, requires_grad=True)
    padded = nn.functional.pad(text.permute(1, 2, 0), ((kernel - 1) * dilation, 0))
    expected = theirs(padded).permute(2, 0, 1) if steps else text.new_zeros(0, 2, 4)
    torch.testing.assert_close(ours(text), expected)
    if steps:
        weights = torch.randn(steps, 2, 4, dtype=torch.double)
        ours_by = torch.autograd.grad((ours(text) * weights).sum(), (text, ours.weight, ours.bias))
        theirs_by = torch.autograd.grad((expected * weights).sum(), (text, theirs.weight, theirs.bias))
        torch.testing.assert_close(ours_by, theirs_by)


@pytest.mark.parametrize(("layers", "kernel"), [(1, 2), (1, 3), (2, 3), (3, 2), (4, 3)])
def test_receptive_field(layers: int, kernel: int) -> None:
    """A state depends on as many words as it says, the oldest among them, and on no older one."""
    built = network(layers, kernel)
    field = built.receptive_field
    with torch.no_grad():  # everything positive: no ReLU hides a way
        for weights in built.parameters():
            weights.abs_()
    text = torch.rand(1, field + 5, 3, dtype=torch.double, requires_grad=True)
    (gradient,) = torch.autograd.grad(built(text, torch.tensor([field + 5]))[0, -1].sum(), text)
    reached = gradient[0].abs().sum(dim=1) > 0
    assert reached.tolist() == [False] * 5 + [True] * field


def test_whole_channels_are_dropped_in_training() -> None:
    built, text = network(1, 2), torch.randn(1, 9, 3, dtype=torch.double)
    length = torch.tensor([9])
    assert torch.equal(built(text, length), built(text, length))
    block = built.blocks[0].train()
    block.skip = nn.Linear(3, 4).double()
    nn.init.zeros_(block.skip.weight)
    nn.init.zeros_(block.skip.bias)
    nn.init.constant_(block.second.bias, 9.0)
    torch.manual_seed(0)
    dropped = (block(text.transpose(0, 1).expand(-1, 50, -1)) == 0).double().mean(dim=0)  # (B, H)
    assert set(dropped.unique().tolist()) == {0.0, 1.0}
    assert 0.3 < dropped.mean() < 0.5


def test_term_is_the_sum_of_its_blocks() -> None:
    counted = network(2, 3).term()
    first = (3 * 3 * 4 + 4) + (3 * 4 * 4 + 4) + (3 * 4 + 4)
    second = 2 * (3 * 4 * 4 + 4)
    assert (counted.formula, counted.value) == (f"{first} + {second}", first + second)
