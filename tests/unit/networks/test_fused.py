"""Cells read by PyTorch's kernels: states and gradients against the written-out cells and PyTorch's own modules.

A GPU chooses the kernels by itself; here, tests choose them.
"""

from __future__ import annotations

import pytest
import torch
from torch import Tensor, nn

from nlpviz.networks.architectures import architectures
from nlpviz.networks.cells import RecurrentCell, State
from nlpviz.networks.fused import is_fused, read_fused
from nlpviz.networks.recurrence import through_time
from nlpviz.networks.sequences import READINGS, SequenceClassifier
from tests.recurrence import WITH_TORCH, copy_weights, make, torch_module

STEPS, ROWS, D, H = 45, 5, 7, 9
CELLS = {"lstm": {}, "gru": {}, "elman": {"activation": "relu"}}


@pytest.fixture(params=WITH_TORCH)
def cell(request: pytest.FixtureRequest) -> RecurrentCell:
    """A cell of each kind that PyTorch has as well, in single precision."""
    torch.manual_seed(1)
    return make(request.param, D, H).float()


@pytest.fixture
def as_on_a_gpu(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Let PyTorch's kernels read in trainings, too; the list names those that did."""
    read: list[str] = []

    def chosen(cell: RecurrentCell, _: Tensor) -> bool:
        read.append(cell.kernel)
        return bool(cell.kernel)

    monkeypatch.setattr("nlpviz.networks.recurrence.is_fused", chosen)
    return read


def started(cell: RecurrentCell) -> State:
    """Return a random state, laid out as a part of another tensor, which cuDNN alone would refuse."""
    return torch.randn(ROWS, 2 * cell.states * cell.units).chunk(2, dim=1)[0].chunk(cell.states, dim=1)


def test_a_cpu_trains_by_the_written_out_cell_and_another_device_by_a_kernel_if_there_is_one(
    cell: RecurrentCell,
) -> None:
    words = torch.randn(STEPS, ROWS, D)
    assert not is_fused(cell, words)
    assert is_fused(cell, words.to("meta"))
    assert not is_fused(make("gated").float(), words.to("meta"))


def test_states_and_gradients_are_those_of_the_written_out_cell(cell: RecurrentCell) -> None:
    words, start = torch.randn(STEPS, ROWS, D, requires_grad=True), started(cell)
    later = torch.randn(STEPS, ROWS, H)
    found = {}
    for read in (through_time, read_fused):
        states, after = read(cell, words, start)
        gradients = torch.autograd.grad(states, [words, *cell.parameters()], later)
        found[read] = [states.detach(), *after, *gradients]
        assert not any(state.requires_grad for state in after)
    assert all(values.abs().max() > 1e-3 for values in found[read_fused])
    torch.testing.assert_close(found[read_fused], found[through_time], rtol=1e-5, atol=1e-5)


def test_states_are_those_of_pytorch_s_module(cell: RecurrentCell) -> None:
    theirs, start = torch_module(cell).float(), started(cell)
    copy_weights(cell, theirs)
    words, before = torch.randn(STEPS, ROWS, D), tuple(state[None].contiguous() for state in start)
    expected, last = theirs(words, before if cell.states > 1 else before[0])
    states, after = read_fused(cell, words, start)
    torch.testing.assert_close(states, expected, rtol=1e-5, atol=1e-5)
    torch.testing.assert_close(after, tuple(one[0] for one in (last if cell.states > 1 else [last])))


def test_other_recurrent_weights_take_the_place_of_its_own(cell: RecurrentCell) -> None:
    """As dropout on them asks for: the gradient goes to what is passed, and none to the cell's own."""
    words, kept = torch.randn(STEPS, ROWS, D), torch.rand_like(cell.recurrent_weights) > 0.5
    dropped = (cell.recurrent_weights.detach() * kept).requires_grad_()
    states, _ = read_fused(cell, words, recurrent_weights=dropped)
    gradient, own = torch.autograd.grad(states.sum(), [dropped, cell.recurrent_weights], allow_unused=True)
    assert own is None
    cell.recurrent_weights.data.copy_(dropped.detach())
    expected, _ = read_fused(cell, words)
    torch.testing.assert_close(states, expected)
    torch.testing.assert_close(gradient, torch.autograd.grad(expected.sum(), cell.recurrent_weights)[0])


def test_reading_without_gradients_is_reading_with_them(cell: RecurrentCell) -> None:
    words = torch.randn(STEPS, ROWS, D)
    states, after = read_fused(cell, words)
    with torch.inference_mode():
        torch.testing.assert_close(read_fused(cell, words), (states.detach(), after), rtol=1e-5, atol=1e-5)


# --------------------------------------------------------------------------------------------------------- networks


def classifier(cell: str, reading: str, layers: int, *, bidirectional: bool) -> nn.Module:
    """Return a classifier with random weights and dropout between its layers."""
    torch.manual_seed(2)
    architecture = architectures()["recurrent-network"]
    settings = {"settings": CELLS[cell], "units": H, "dimensions": D, "layers": layers, "bidirectional": bidirectional}
    return architecture.build(architecture.config(20, cell=cell, reading=reading, dropout=0.3, **settings))


def learnt(network: nn.Module, ids: Tensor) -> list[Tensor]:
    """Return the logits of ``ids`` and the gradients of a loss by all weights, with the same dropout at each call."""
    torch.manual_seed(3)
    logits = network(ids)
    return [logits.detach(), *torch.autograd.grad(logits.square().sum(), list(network.parameters()))]


def padded_texts() -> Tensor:
    """Return ids (B, T) of texts of several lengths, one of them empty."""
    ids = torch.randint(2, 20, (4, 40), generator=torch.Generator().manual_seed(4))
    for row, length in enumerate((40, 13, 1, 0)):
        ids[row, length:] = 0
    return ids


@pytest.mark.parametrize("bidirectional", [False, True])
@pytest.mark.parametrize("layers", [1, 2])
@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("cell", list(CELLS))
def test_a_classifier_learns_the_same(
    as_on_a_gpu: list[str], cell: str, reading: str, layers: int, bidirectional: bool
) -> None:
    network, ids = classifier(cell, reading, layers, bidirectional=bidirectional), padded_texts()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("nlpviz.networks.recurrence.is_fused", is_fused)
        expected = learnt(network, ids)
    assert not as_on_a_gpu
    torch.testing.assert_close(learnt(network, ids), expected, rtol=1e-5, atol=1e-5)
    assert len(as_on_a_gpu) == layers * (1 + bidirectional)
    assert "" not in as_on_a_gpu


@pytest.mark.usefixtures("as_on_a_gpu")
@pytest.mark.parametrize("cell", list(CELLS))
def test_padding_changes_nothing(cell: str) -> None:
    """Neither a text's logits nor the gradients by its word vectors, which explanations ask for in evaluation mode."""
    network = classifier(cell, "last", 2, bidirectional=True).eval()
    assert isinstance(network, SequenceClassifier)
    ids = padded_texts()
    words = network.embed(ids).detach().requires_grad_()
    together = network.classify(words, network.mask(ids))
    gradients = torch.autograd.grad(together.sum(), words)[0]
    for row, length in enumerate((40, 13, 1)):
        alone = words[row : row + 1, :length].detach().requires_grad_()
        logits = network.classify(alone, network.mask(ids[row : row + 1, :length]))
        torch.testing.assert_close(logits[0], together[row], rtol=1e-5, atol=1e-5)
        (own,) = torch.autograd.grad(logits.sum(), alone)
        torch.testing.assert_close(own[0], gradients[row, :length], rtol=1e-5, atol=1e-5)
        assert not gradients[row, length:].any()


@pytest.mark.usefixtures("as_on_a_gpu")
@pytest.mark.parametrize("cell", list(CELLS))
def test_a_language_model_goes_on_from_the_state_that_it_was_left_in(cell: str) -> None:
    """In pieces as the training loop reads them, with dropout between layers; gradients end where a piece begins."""
    architecture = architectures()["recurrent-language-model"]
    torch.manual_seed(5)
    settings = {"cell": cell, "settings": CELLS[cell], "dimensions": D, "units": H, "layers": 2}
    network, ids = architecture.build(architecture.config(20, **settings)), torch.randint(2, 20, (ROWS, STEPS))

    def two_pieces() -> list[Tensor]:
        torch.manual_seed(6)
        state, found = network.start(ROWS), []
        for piece in (ids[:, :20], ids[:, 20:]):
            hidden, state = network.read_on(network.embed(piece), state)
            loss = network.predict(hidden).logsumexp(dim=-1).sum()
            found += [hidden.detach(), *state.values(), *torch.autograd.grad(loss, list(network.parameters()))]
        return found

    fused = two_pieces()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("nlpviz.networks.recurrence.is_fused", is_fused)
        torch.testing.assert_close(fused, two_pieces(), rtol=1e-5, atol=1e-5)
