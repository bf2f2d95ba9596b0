"""Skip RNN against the paper's equations in a plain loop with a straight-through step, in double precision."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor, nn

from nlpviz.networks.architectures import Penalised
from nlpviz.networks.architectures.recurrent_network import RecurrentClassifier, RecurrentConfig
from nlpviz.networks.architectures.skip_rnn import SkipConfig, SkipRNN
from nlpviz.networks.recurrence import STEPS
from nlpviz.networks.skip_rnn import SkipCell, run_skipping, skipping_through_time
from tests.recurrence import KINDS, make

LONG, ROWS = 2 * STEPS + 6, 5
IDS = torch.tensor([[2, 3, 4, 5, 6, 7], [8, 9, 2, 2, 0, 0], [5, 0, 0, 0, 0, 0]])


class StraightThrough(torch.autograd.Function):
    """1 above a half, 0 else, with the derivative of the line."""

    @staticmethod
    def forward(ctx: object, due: Tensor) -> Tensor:  # noqa: ARG004
        return (due > 0.5).to(due.dtype)

    @staticmethod
    def backward(ctx: object, gradient: Tensor) -> Tensor:  # noqa: ARG004
        return gradient


def skip_cell(kind: str) -> SkipCell:
    """Return a cell that skips about half of its steps."""
    cell = SkipCell(make(kind)).double()
    nn.init.normal_(cell.gate_weights, std=2.0)
    nn.init.constant_(cell.gate_bias, -0.5)
    return cell


def looped(skip: SkipCell, inputs: Tensor) -> tuple[Tensor, Tensor]:
    """Return states and updates over (T, B, D) by equations 2 to 6, the step straight through."""
    state = tuple(inputs.new_zeros(inputs.shape[1], skip.units) for _ in range(skip.states))
    due, shown, updates = inputs.new_ones(inputs.shape[1], 1), [], []
    for words in inputs:
        update = StraightThrough.apply(due)  # equation 2
        proposed = skip.cell.step(words, state).state
        state = tuple(update * new + (1 - update) * old for new, old in zip(proposed, state, strict=True))  # 3
        more = torch.sigmoid(state[0] @ skip.gate_weights + skip.gate_bias)  # 4
        due = update * more + (1 - update) * (due + torch.minimum(more, 1 - due))  # 5
        shown.append(state[0])
        updates.append(update)
    return torch.stack(shown), torch.stack(updates)


def fixed(skip: SkipCell, inputs: Tensor, updates: Tensor) -> Tensor:
    """Return the states where the updates (T, B, 1) are what they are."""
    state = tuple(inputs.new_zeros(inputs.shape[1], skip.units) for _ in range(skip.states))
    shown = []
    for words, update in zip(inputs, updates.detach(), strict=True):
        proposed = skip.cell.step(words, state).state
        state = tuple(update * new + (1 - update) * old for new, old in zip(proposed, state, strict=True))
        shown.append(state[0])
    return torch.stack(shown)


def words() -> Tensor:
    """Return inputs (T, B, D) that ask for a gradient."""
    return torch.randn(LONG, ROWS, 3, dtype=torch.double, requires_grad=True)


@pytest.fixture(params=list(KINDS))
def skip(request: pytest.FixtureRequest) -> SkipCell:
    """A skip cell of each kind."""
    torch.manual_seed(15)
    return skip_cell(request.param)


def test_training_is_the_paper_s(skip: SkipCell) -> None:
    """States, updates, and the gradients of what hangs on both, to the last of the inputs and weights."""
    inputs = words()
    ours, theirs = skipping_through_time(skip.train(), inputs), looped(skip, inputs)
    for one, other in zip(ours, theirs, strict=True):
        torch.testing.assert_close(one, other)
    assert 0.05 < ours[1].mean() < 0.95
    wanted = [inputs, *skip.parameters()]
    later = [torch.randn_like(one) for one in ours]
    one, other = (torch.autograd.grad(some, wanted, later) for some in (ours, theirs))
    for mine, expected in zip(one, other, strict=True):
        assert expected.abs().max() > 1e-6
        torch.testing.assert_close(mine, expected)


def test_else_the_derivative_is_that_of_the_network_with_its_updates_as_they_fell(skip: SkipCell) -> None:
    inputs = words()
    states, updates = skipping_through_time(skip.eval(), inputs)
    expected = fixed(skip, inputs, updates)
    torch.testing.assert_close(states, expected)
    later = torch.randn_like(states)
    wanted = [inputs, *skip.cell.parameters()]
    one, other = (torch.autograd.grad(some, wanted, later, retain_graph=True) for some in (states, expected))
    for mine, theirs in zip(one, other, strict=True):
        torch.testing.assert_close(mine, theirs)
    gate = torch.autograd.grad(states, [skip.gate_weights, skip.gate_bias], later)
    assert not any(gradient.any() for gradient in gate)
    straight = torch.autograd.grad(skipping_through_time(skip.train(), inputs)[0], inputs, later)[0]
    assert not torch.allclose(straight, one[0]), "training's estimate is another one"


def test_a_step_is_a_step_of_the_loop(skip: SkipCell) -> None:
    """What advance takes: values and the true derivative."""
    inputs = words()
    states, updates = skipping_through_time(skip.eval(), inputs)
    state = (*(inputs.new_zeros(ROWS, skip.units) for _ in range(skip.states)), inputs.new_ones(ROWS, 1))
    for step in range(LONG):
        state, update = skip.step(inputs[step], state)
        torch.testing.assert_close(state[0], states[step])
        assert torch.equal(update, updates[step])
    ours, theirs = (torch.autograd.grad(some.sum(), inputs)[0] for some in (state[0], states[-1]))
    torch.testing.assert_close(ours, theirs)


def test_a_skipped_step_keeps_the_state_to_the_last_bit(skip: SkipCell) -> None:
    tape = run_skipping(skip, words())
    open_ = tape.updates[..., 0] == 1
    assert set(tape.updates.unique().tolist()) == {0.0, 1.0}
    assert open_[0].all(), "the first word is always read"
    for state, proposed in zip(tape.states, tape.proposed, strict=True):
        assert torch.equal(state[1:][~open_], state[:-1][~open_])
        assert torch.equal(state[1:][open_], proposed[open_])
        assert not torch.equal(state[1:][~open_], proposed[~open_])


@pytest.mark.parametrize("cell", ["elman", "gated", "lstm", "gru"])
@pytest.mark.parametrize("bidirectional", [False, True])
def test_a_gate_that_never_closes_leaves_the_plain_network(cell: str, bidirectional: bool) -> None:
    torch.manual_seed(16)
    sizes = {"vocabulary_size": 10, "dimensions": 3, "units": 4, "layers": 2, "bidirectional": bidirectional}
    skipping = SkipRNN(SkipConfig(cell=cell, **sizes)).double().eval()
    plain = RecurrentClassifier(RecurrentConfig(cell=cell, **sizes)).double().eval()
    plain.embedding, plain.output = skipping.embedding, skipping.output
    for name in ("onward", "back"):
        layers = getattr(skipping.encoder, name)
        setattr(plain.encoder, name, nn.ModuleList(one.cell for one in layers))
        for one in layers:
            nn.init.constant_(one.gate_bias, 99.0)
    assert torch.equal(skipping(IDS), plain(IDS))
    embedded, mask = skipping.embed(IDS), skipping.mask(IDS)
    ours, theirs = skipping.unroll(embedded, mask), plain.unroll(embedded, mask)
    assert torch.equal(ours.states, theirs.states)
    assert (ours.parts["update"] == 1).all()
    assert all(torch.equal(ours.parts[name], values) for name, values in theirs.parts.items())
    gradients = [
        torch.autograd.grad(one(IDS).square().sum(), list(plain.parameters())) for one in (skipping.eval(), plain)
    ]
    for mine, expected in zip(*gradients, strict=True):
        torch.testing.assert_close(mine, expected)


def network(**changes: object) -> SkipRNN:
    """Return a small network that skips."""
    torch.manual_seed(17)
    sizes: dict[str, object] = {"vocabulary_size": 10, "dimensions": 3, "units": 4, "dropout": 0.0}
    built = SkipRNN(SkipConfig(**sizes | changes)).double()
    for layer in (*built.encoder.onward, *built.encoder.back):
        nn.init.normal_(layer.gate_weights, std=2.0)
        nn.init.constant_(layer.gate_bias, -1.0)
    return built


@pytest.mark.parametrize("changes", [{}, {"layers": 2}, {"bidirectional": True}], ids=str)
def test_in_training_each_update_of_each_layer_has_its_price(changes: dict[str, object]) -> None:
    built = network(budget=0.25, **changes)
    answered = built.train()(IDS)
    assert isinstance(answered, Penalised)
    embedded, mask = built.embed(IDS), built.mask(IDS)
    per_text = []
    for row, length in enumerate(mask.sum(dim=1).tolist()):
        updates = built.unroll(embedded[row : row + 1, :length], mask[row : row + 1, :length]).parts["update"]
        per_text.append(updates[..., ::4].sum())  # one gate for the four units of a direction
    torch.testing.assert_close(answered.penalty, 0.25 * torch.stack(per_text))
    assert answered.penalty.min() < 0.25 * mask.sum(dim=1).max()
    torch.testing.assert_close(built.eval()(IDS), answered.logits)


def test_what_is_said_of_its_gate_is_the_gate() -> None:
    built = network().eval()
    embedded, mask = built.embed(IDS), built.mask(IDS)
    parts = built.unroll(embedded, mask).parts
    due, update = parts["update probability"][..., 0], parts["update"][..., 0]
    assert (due[:, 0] == 1).all()
    assert torch.equal(update, (due > 0.5).double())
    assert torch.equal(parts["update"], update.unsqueeze(-1).expand_as(parts["update"]))
    _, expected = looped(built.encoder.onward[0], embedded.transpose(0, 1))
    assert torch.equal(update[..., 0], expected[..., 0].T)
    assert not update[mask].all()


def test_its_parameters_are_those_of_the_cell_and_of_the_gate() -> None:
    built = network(cell="lstm", layers=2)
    term = built.parameter_terms()[1]
    assert term.name == "skipping recurrent layers (LSTM)"
    assert term.value == 2 * (4 * 4 * (3 + 4 + 1) + 4 + 1) + 4 * 4 * (4 - 3)
