"""Every recurrent cell against PyTorch's own module, or against its equations written again, in double precision."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor, nn

from nlpviz.networks.cells import RecurrentCell, cells
from tests.recurrence import KINDS, WITH_TORCH, copy_weights, looped, make, torch_module

STEPS, ROWS = 7, 5


@pytest.fixture(params=list(KINDS))
def cell(request: pytest.FixtureRequest) -> RecurrentCell:
    """A cell of each kind."""
    torch.manual_seed(1)
    return make(request.param)


def inputs(steps: int = STEPS) -> Tensor:
    """Return words, (T, B, D)."""
    return torch.randn(steps, ROWS, 3, dtype=torch.double)


def state_of(cell: RecurrentCell) -> tuple[Tensor, ...]:
    """Return a random state."""
    return tuple(torch.randn(ROWS, cell.units, dtype=torch.double) for _ in range(cell.states))


def test_every_cell_is_tried() -> None:
    assert {name for name, _ in KINDS.values()} == set(cells())


@pytest.mark.parametrize("kind", WITH_TORCH)
def test_states_are_those_of_pytorch(kind: str) -> None:
    torch.manual_seed(2)
    cell = make(kind)
    theirs = torch_module(cell)
    copy_weights(cell, theirs)
    words = inputs()
    expected, last = theirs(words)
    ours = looped(cell, words)
    torch.testing.assert_close(torch.stack([state[0] for state in ours]), expected)
    if cell.states == 2:
        torch.testing.assert_close(ours[-1][1], last[1][0])


def test_the_gated_unit_is_that_of_its_lecture() -> None:
    """001, "Gating": a full update by a ReLU, a forget gate, and the mean of old and new that it weighs."""
    torch.manual_seed(3)
    cell = make("gated")
    (before,), words = state_of(cell), inputs(1)[0]
    weights = torch.cat([cell.input_weights, cell.recurrent_weights])  # of x and h side by side
    pre = torch.cat([words, before], dim=1) @ weights + cell.bias
    gate, full = 1 / (1 + torch.exp(-pre[:, :4])), pre[:, 4:] * (pre[:, 4:] > 0)
    stepped = cell.step(words, (before,))
    torch.testing.assert_close(stepped.state[0], gate * before + (1 - gate) * full)
    torch.testing.assert_close(stepped.parts["forget gate"], gate)
    torch.testing.assert_close(stepped.parts["full update"], full)


def test_the_gates_of_an_lstm_are_what_they_are_called() -> None:
    """A gate is driven to 0 or 1 by its own bias: what follows tells the four blocks apart."""
    torch.manual_seed(4)
    cell, blocks = make("lstm"), ("candidate", "input gate", "forget gate", "output gate")
    (hidden, memory), words = state_of(cell), inputs(1)[0]
    for name, biases in {"kept": (0, -99, 99, 99), "overwritten": (99, 99, -99, 99), "hidden": (0, 0, 0, -99)}.items():
        cell.bias.data = torch.tensor(biases, dtype=torch.double).repeat_interleave(4)
        (shown, after), parts = cell.step(words, (hidden, memory))
        for block, bias in zip(blocks, biases, strict=True):
            if bias:
                torch.testing.assert_close(parts[block], torch.full_like(shown, float(bias > 0)))
        if name == "kept":
            torch.testing.assert_close(after, memory)
            torch.testing.assert_close(shown, memory.tanh())
        elif name == "overwritten":
            torch.testing.assert_close(after, torch.ones_like(after))
        else:
            torch.testing.assert_close(shown, torch.zeros_like(shown))


def test_open_and_closed_gates_of_a_gru() -> None:
    """Where its update gate is one, the state stays; where it is zero and so is the reset gate, the past is gone."""
    torch.manual_seed(5)
    cell = make("gru")
    before, words = state_of(cell), inputs(1)[0]
    cell.bias.data[8:12] = 99
    torch.testing.assert_close(cell.step(words, before).state[0], before[0])
    cell.bias.data[8:12], cell.bias.data[4:8] = -99, -99
    expected = torch.tanh(words @ cell.input_weights[:, :4] + cell.bias[:4])
    torch.testing.assert_close(cell.step(words, before).state[0], expected)


def test_a_step_in_place_is_the_step(cell: RecurrentCell) -> None:
    before, words = state_of(cell), inputs(1)[0]
    expected = cell.step(words, before)
    pre = cell.enter(words).detach()
    pre[:, cell.columns(cell.recurring)] += (before[0] @ cell.recurrent_weights).detach()
    after = tuple(torch.full_like(one, torch.nan) for one in before)
    with torch.no_grad():
        cell.ahead(pre, before, after)
        parts = cell.parts_of(pre, after)
    for one, other in zip(after, expected.state, strict=True):
        torch.testing.assert_close(one, other)
    assert list(parts) == list(expected.parts)
    for name, values in parts.items():
        torch.testing.assert_close(values, expected.parts[name])


def test_a_step_back_is_autograd_s(cell: RecurrentCell) -> None:
    before = tuple(one.requires_grad_() for one in state_of(cell))
    pre = torch.randn(ROWS, cell.blocks * cell.units, dtype=torch.double, requires_grad=True)
    later = state_of(cell)
    stepped = cell.equations(pre, before).state
    of_pre, *of_state = torch.autograd.grad(stepped, [pre, *before], later, allow_unused=True, materialize_grads=True)
    with torch.no_grad():
        activations, after = pre.clone(), tuple(torch.empty_like(one) for one in before)
        cell.ahead(activations, before, after)
        slopes = cell.slopes(activations[None], tuple(s[None] for s in before), tuple(s[None] for s in after))
        ours = torch.empty(ROWS, cell.blocks, cell.units, dtype=torch.double)
        passed = cell.back(tuple(slope[0] for slope in slopes), [one.clone() for one in later], ours)
    torch.testing.assert_close(ours.flatten(1), of_pre)
    for one, other in zip(passed, of_state, strict=True):
        torch.testing.assert_close(one, other)


def test_what_carries_passes_the_product_by(cell: RecurrentCell) -> None:
    """An Elman network alone has no way from state to state but through U: without U, the state forgets."""
    cell.recurrent_weights.data.zero_()
    before, words = tuple(one.requires_grad_() for one in state_of(cell)), inputs(1)[0]
    total = sum(one.sum() for one in cell.step(words, before).state)
    slopes = torch.autograd.grad(total, before, allow_unused=True)
    assert any(slope is not None and slope.any() for slope in slopes) is cell.carries


def test_parts_are_named_in_the_equations(cell: RecurrentCell) -> None:
    stepped = cell.step(inputs(1)[0], state_of(cell))
    assert [part.name for part in cell.parts] == list(stepped.parts)
    for part in cell.parts:
        assert f"{part.symbol}_t" in " ".join(cell.formula)
        values = stepped.parts[part.name]
        assert values.shape == (ROWS, cell.units)
        assert not part.is_gate or ((values > 0) & (values < 1)).all()


def test_term_is_the_number_of_weights(cell: RecurrentCell) -> None:
    formula, value = cell.term()
    assert value == sum(weights.numel() for weights in cell.parameters())
    assert eval(formula.replace("×", "*")) == value  # noqa: S307


# ------------------------------------------------------------------------------------------------- before training


@pytest.mark.parametrize("kind", sorted(cells()))
def test_recurrent_weights_begin_orthogonal_and_biases_at_zero(kind: str) -> None:
    torch.manual_seed(6)
    cell = cells()[kind].build(30, 20)
    for block in cell.recurrent_weights.detach().chunk(cell.recurrent_weights.shape[1] // 20, dim=1):
        torch.testing.assert_close(block @ block.T, torch.eye(20), atol=1e-5, rtol=0)
    bound = (6 / (30 + 20)) ** 0.5  # Glorot's, for one block
    assert 0.9 * bound < cell.input_weights.abs().max() <= bound
    expected = torch.zeros(cell.blocks, 20)
    if kind == "lstm":
        expected[2] = 1
    assert torch.equal(cell.bias.detach().view(cell.blocks, 20), expected)


@pytest.mark.parametrize(
    ("kind", "setting", "gate"),
    [
        ("lstm", "forget_bias", "forget gate"),
        ("gated", "forget_bias", "forget gate"),
        ("gru", "update_bias", "update gate"),
    ],
)
def test_a_gate_begins_as_far_open_as_it_is_set(kind: str, setting: str, gate: str) -> None:
    cell = cells()[kind].build(3, 4, **{setting: 2.0}).double()
    nothing = tuple(torch.zeros(1, 4, dtype=torch.double) for _ in range(cell.states))
    parts = cell.step(torch.zeros(1, 3, dtype=torch.double), nothing).parts
    open_by = 1 / (1 + torch.exp(torch.tensor(-2.0, dtype=torch.double)))
    for part in cell.parts:
        if part.is_gate:
            expected = open_by if part.name == gate else torch.tensor(0.5, dtype=torch.double)
            torch.testing.assert_close(parts[part.name], expected.expand(1, 4))


def test_a_relu_begins_by_keeping_what_it_has() -> None:
    """Le, Jaitly and Hinton 2015: the identity; a state that is not negative stays for any number of steps."""
    cell = cells()["elman"].build(3, 4, activation="relu")
    assert torch.equal(cell.recurrent_weights.detach(), torch.eye(4))
    (state,) = before = (torch.rand(2, 4),)
    for _ in range(50):
        before = cell.step(torch.zeros(2, 3), before).state
    torch.testing.assert_close(before[0], state)


def test_there_is_no_other_activation() -> None:
    with pytest.raises(ValueError, match="does not support the activation 'sine'; choose relu or tanh"):
        cells()["elman"].build(3, 4, activation="sine")


def test_settings_are_those_that_a_cell_takes() -> None:
    for kind in cells().values():
        built = kind.build(3, 4, **kind.settings)
        assert isinstance(built, RecurrentCell)
        assert isinstance(built, nn.Module)
        with pytest.raises(TypeError):
            kind.build(3, 4, colour="red")
