"""Cells taken through sequences: values and gradients against autograd and PyTorch, in double precision."""

from __future__ import annotations

from functools import partial

import pytest
import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from nlpviz.networks.cells import RecurrentCell
from nlpviz.networks.layers import Dropout, VariationalDropout
from nlpviz.networks.recurrence import FUSED_FROM, STEPS, RecurrentNetwork, through_time
from tests.recurrence import KINDS, WITH_TORCH, copy_weights, looped, make, torch_module

LONG = 2 * STEPS + 6
LENGTHS = torch.tensor([9, 4, 1, 6])


def words(steps: int, rows: int = 3) -> Tensor:
    """Return inputs (T, B, D) that ask for a gradient."""
    return torch.randn(steps, rows, 3, dtype=torch.double, requires_grad=True)


def network(kind: str, layers: int = 1, *, bidirectional: bool = False) -> RecurrentNetwork:
    """Return a network of cells of one kind in evaluation mode."""
    torch.manual_seed(7)
    return RecurrentNetwork(partial(make, kind), 3, 4, layers, bidirectional=bidirectional, dropout=0.5).double().eval()


@pytest.mark.parametrize("steps", [1, STEPS, LONG])
@pytest.mark.parametrize("kind", list(KINDS))
def test_gradients_through_time_are_autograd_s(kind: str, steps: int) -> None:
    """On the whole graph of the plain loop, for more steps than slopes are computed for at once."""
    torch.manual_seed(8)
    cell, inputs = make(kind), words(steps)
    weights = [inputs, *cell.parameters()]
    expected = torch.stack([state[0] for state in looped(cell, inputs)])
    states = through_time(cell, inputs)[0]
    torch.testing.assert_close(states, expected)
    later = torch.randn_like(states)
    ours, theirs = (torch.autograd.grad(some, weights, later) for some in (states, expected))
    for one, other in zip(ours, theirs, strict=True):
        assert steps == 1 or other.abs().max() > 1e-6
        torch.testing.assert_close(one, other)


@pytest.mark.parametrize("kind", list(KINDS))
def test_the_first_word_reaches_the_last_state(kind: str) -> None:
    torch.manual_seed(9)
    cell, inputs = make(kind), words(STEPS + 3)
    (ours,) = torch.autograd.grad(through_time(cell, inputs)[0][-1].sum(), inputs)
    (theirs,) = torch.autograd.grad(looped(cell, inputs)[-1][0].sum(), inputs)
    torch.testing.assert_close(ours, theirs, rtol=1e-9, atol=0)
    assert ours[0].any()


def test_frozen_words_cost_no_gradient_of_theirs() -> None:
    torch.manual_seed(10)
    cell, inputs = make("gru"), words(5)
    frozen = through_time(cell, inputs.detach())[0].square().sum()
    gradients = torch.autograd.grad(frozen, list(cell.parameters()))
    expected = torch.autograd.grad(through_time(cell, inputs)[0].square().sum(), list(cell.parameters()))
    assert all(map(torch.equal, gradients, expected))


@pytest.mark.parametrize("bidirectional", [False, True])
@pytest.mark.parametrize("layers", [1, 2])
@pytest.mark.parametrize("kind", WITH_TORCH)
def test_layers_and_directions_are_pytorch_s(kind: str, layers: int, bidirectional: bool) -> None:
    """Packed, so that PyTorch, too, reads each text backwards from its own last word."""
    ours = network(kind, layers, bidirectional=bidirectional)
    settings = {"num_layers": layers, "bidirectional": bidirectional, "batch_first": True}
    single = torch_module(ours.cell)
    if isinstance(single, nn.RNN):
        settings["nonlinearity"] = single.nonlinearity
    theirs = type(single)(3, 4, **settings).double()
    for layer in range(layers):
        copy_weights(ours.onward[layer], theirs, f"l{layer}")
        if bidirectional:
            copy_weights(ours.back[layer], theirs, f"l{layer}_reverse")
    inputs = torch.randn(len(LENGTHS), int(LENGTHS.max()), 3, dtype=torch.double)
    packed = pack_padded_sequence(inputs, LENGTHS, batch_first=True, enforce_sorted=False)
    expected, _ = pad_packed_sequence(theirs(packed)[0], batch_first=True)
    states, unrolled = ours(inputs, LENGTHS), ours.unroll(inputs, LENGTHS)
    for row, length in enumerate(LENGTHS):
        torch.testing.assert_close(states[row, :length], expected[row, :length])
    assert unrolled.states.shape == (4, 9, layers, ours.size)
    torch.testing.assert_close(unrolled.states[:, :, -1], states)


@pytest.mark.parametrize("kind", list(KINDS))
def test_what_is_unrolled_is_what_each_step_computes(kind: str) -> None:
    """States and parts of both layers and both directions, each by the cell's equations, text by text."""
    ours = network(kind, 2, bidirectional=True)
    inputs = torch.randn(len(LENGTHS), int(LENGTHS.max()), 3, dtype=torch.double)
    unrolled = ours.unroll(inputs, LENGTHS)
    assert list(unrolled.parts) == [part.name for part in ours.parts]
    for row, length in enumerate(LENGTHS):
        below = inputs[row, :length]
        for layer in range(2):
            onward = told(ours.onward[layer], below)
            back = {name: values.flip(0) for name, values in told(ours.back[layer], below.flip(0)).items()}
            for name, values in {"": unrolled.states, **unrolled.parts}.items():
                expected = torch.cat([onward[name], back[name]], dim=1)
                torch.testing.assert_close(values[row, :length, layer], expected)
            below = torch.cat([onward[""], back[""]], dim=1)


def told(cell: RecurrentCell, text: Tensor) -> dict[str, Tensor]:
    """Return the hidden states, under an empty name, and the parts of ``cell`` over one text (T, D)."""
    state = tuple(torch.zeros(cell.units, dtype=torch.double) for _ in range(cell.states))
    columns: dict[str, list[Tensor]] = {name: [] for name in ("", *(part.name for part in cell.parts))}
    for word in text:
        state, parts = cell.step(word, state)
        for name, value in {"": state[0], **parts}.items():
            columns[name].append(value)
    return {name: torch.stack(values).detach() for name, values in columns.items()}


@pytest.mark.parametrize("layers", [1, 2])
@pytest.mark.parametrize("kind", list(KINDS))
def test_advancing_word_by_word_is_reading_at_once(kind: str, layers: int) -> None:
    ours, inputs = network(kind, layers), words(6).transpose(0, 1)
    state = torch.zeros(3, ours.state_size, dtype=torch.double)
    expected = ours(inputs, torch.tensor([6, 6, 6]))
    for word in range(6):
        state, shown = ours.advance(inputs[:, word], state)
        assert state.shape == (3, ours.state_size)
        torch.testing.assert_close(shown, expected[:, word])
    (by_words,) = torch.autograd.grad(shown.sum(), inputs)
    torch.testing.assert_close(by_words, torch.autograd.grad(expected[:, -1].sum(), inputs)[0])


def test_layers_are_dropped_between_in_training_alone() -> None:
    ours, inputs = network("gru", 2), words(5).transpose(0, 1)
    full = torch.tensor([5, 5, 5])
    assert torch.equal(ours(inputs, full), ours(inputs, full))
    assert not torch.allclose(ours.train()(inputs, full), ours.eval()(inputs, full))
    single = network("gru", 1).train()
    assert torch.equal(single(inputs, full), single(inputs, full)), "there is nothing between one layer"


def test_dropout_is_pytorch_s() -> None:
    """A share of the entries is zero, the others are larger by as much, and the gradient goes where they are."""
    torch.manual_seed(0)
    ones = torch.ones(300, 400, requires_grad=True)
    dropped = Dropout(0.2)(ones)
    assert dropped.unique().tolist() == [0.0, 1.25]
    assert (dropped == 0).double().mean().item() == pytest.approx(0.2, abs=0.005)
    assert torch.equal(torch.autograd.grad(dropped.sum(), ones)[0], dropped)
    assert not torch.equal(Dropout(0.2)(ones), dropped)
    assert Dropout(0.2).eval()(ones) is ones
    assert Dropout(0.0)(ones) is ones


def test_term_adds_up_over_layers_and_directions() -> None:
    """LSTM, D = 3, H = 4: per direction 4 × (3 + 4 + 1) × 4, and over both directions' states 4 × (8 + 4 + 1) × 4."""
    counted = network("lstm", 2, bidirectional=True).term()
    assert counted.value == 2 * 4 * (3 + 4 + 1) * 4 + 2 * 4 * (8 + 4 + 1) * 4
    assert eval(counted.formula.replace("×", "*")) == counted.value  # noqa: S307


@pytest.mark.parametrize("kind", list(KINDS))
def test_a_text_goes_on_from_the_state_that_it_was_left_in(kind: str) -> None:
    """In two pieces as in one, and no gradient goes back beyond a piece's first step."""
    layers, inputs = network(kind, 2), torch.randn(3, 9, 3, dtype=torch.double)
    nothing = torch.zeros(3, layers.state_size, dtype=torch.double)
    whole, after = layers.read_on(inputs, nothing)
    torch.testing.assert_close(whole, layers(inputs, torch.full((3,), 9)))
    first, between = layers.read_on(inputs[:, :4], nothing)
    second, end = layers.read_on(inputs[:, 4:], between)
    torch.testing.assert_close(torch.cat([first, second], dim=1), whole)
    torch.testing.assert_close(end, after)
    assert not between.requires_grad
    stepped = nothing
    for step in range(9):
        stepped, _ = layers.advance(inputs[:, step], stepped)
    torch.testing.assert_close(stepped, after)


def with_weight_drop(kind: str, share: float) -> RecurrentNetwork:
    """Return the two layers of :func:`network` in training mode, with weight drop and no other dropout."""
    torch.manual_seed(7)
    return RecurrentNetwork(partial(make, kind), 3, 4, 2, weight_drop=share).double().train()


@pytest.mark.parametrize("kind", list(KINDS))
def test_weight_drop_is_the_same_network_with_some_recurrent_weights_zero(kind: str) -> None:
    """One mask a layer for all steps and texts; states and gradients, which reach the weights that are left alone."""
    dropped, plain = with_weight_drop(kind, 0.4), with_weight_drop(kind, 0.0)
    inputs, nothing = (
        torch.randn(3, LONG, 3, dtype=torch.double),
        torch.zeros(3, dropped.state_size, dtype=torch.double),
    )
    torch.manual_seed(5)
    states, _ = dropped.read_on(inputs, nothing)
    states.square().sum().backward()
    torch.manual_seed(5)
    factors = [Dropout(0.4)(torch.ones_like(cell.recurrent_weights)) for cell in plain.onward]
    for cell, factor in zip(plain.onward, factors, strict=True):
        cell.recurrent_weights.data *= factor
        assert 0 < (factor == 0).double().mean() < 1
    expected, _ = plain.read_on(inputs, nothing)
    expected.square().sum().backward()
    torch.testing.assert_close(states, expected)
    for ours, theirs, factor in zip(dropped.onward, plain.onward, factors, strict=True):
        torch.testing.assert_close(ours.recurrent_weights.grad, theirs.recurrent_weights.grad * factor)
        torch.testing.assert_close(ours.input_weights.grad, theirs.input_weights.grad)
        torch.testing.assert_close(ours.bias.grad, theirs.bias.grad)


def test_weight_drop_is_drawn_anew_in_training_and_never_else() -> None:
    dropped, plain = with_weight_drop("lstm", 0.4), with_weight_drop("lstm", 0.0)
    inputs, full = torch.randn(3, 5, 3, dtype=torch.double), torch.full((3,), 5)
    assert not torch.allclose(dropped(inputs, full), dropped(inputs, full))
    assert torch.equal(dropped.eval()(inputs, full), plain(inputs, full))
    assert dropped.state_dict().keys() == plain.state_dict().keys()


@pytest.mark.parametrize("rows", [1, 3])
@pytest.mark.parametrize("layers", [1, 3])
@pytest.mark.parametrize("kind", list(KINDS))
def test_a_text_is_read_without_a_graph_as_with_one(kind: str, layers: int, rows: int) -> None:
    """From a state on; in single precision too, in which PyTorch's kernel is another than in double."""
    torch.manual_seed(11)
    stacked, inputs = network(kind, layers), torch.randn(rows, FUSED_FROM, 3, dtype=torch.double)
    before = torch.rand(rows, stacked.state_size, dtype=torch.double)
    expected, end = (one.detach() for one in stacked.read_on(inputs, before))
    with torch.inference_mode():
        torch.testing.assert_close(stacked.read_on(inputs, before), (expected, end))
        single = stacked.float().read_on(inputs.float(), before.float())
    torch.testing.assert_close(single, (expected.float(), end.float()), atol=1e-5, rtol=1e-4)


def test_variational_dropout_drops_the_same_units_at_every_step() -> None:
    torch.manual_seed(0)
    dropped = VariationalDropout(0.5)(torch.ones(4, 6, 50))
    assert torch.equal(dropped, dropped[:, :1].expand_as(dropped))
    assert set(dropped.unique().tolist()) == {0.0, 2.0}
    assert not torch.equal(dropped[0], dropped[1])
    whole = torch.ones(4, 6, 50)
    assert torch.equal(VariationalDropout(0.5).eval()(whole), whole)
