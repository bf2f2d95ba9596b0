"""Weights of many epochs on one grid: whole numbers, each epoch as changes from its neighbour."""

from __future__ import annotations

import lzma
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray
from safetensors.numpy import load_file, save_file

from nlpviz.runs.epochs import SPARSE, keep_only, kept_of, settle, write_on_grid
from nlpviz.runs.levels import Span, changed, changes
from nlpviz.runs.quantized import pack, unpack
from nlpviz.runs.weights import FROZEN, base_file, epochs_in, read_weights, weights_file, weights_files
from nlpviz.training.storing import BOUND, store_epochs

EPOCHS, BASE = 12, 8


@given(arrays(np.float32, (2, 3, 7), elements=st.floats(-8, 8, width=32)), st.integers(2, 15))
def test_no_value_lies_outside_a_grid_or_more_than_half_a_step_off(epochs: NDArray[np.float32], bits: int) -> None:
    grid = Span.of(list(epochs)).grid(bits)
    for tensor in epochs:
        off = np.abs(grid.rounded(tensor) - tensor).max(axis=1)
        assert (off <= 0.501 * grid.step.astype(np.float32) + 1e-5).all()
        assert grid.levels(tensor).dtype == (np.uint16 if bits > 8 else np.uint8)


@pytest.mark.parametrize("kind", [np.uint8, np.uint16])
def test_changes_lead_back_to_the_levels(kind: type[np.unsignedinteger]) -> None:
    rng, most = np.random.default_rng(0), int(np.iinfo(kind).max)
    before, levels = (rng.integers(0, most, (40, 5, 3), dtype=kind, endpoint=True) for _ in range(2))
    before[0, 0], levels[0, 0] = (0, most, 0), (most, 0, 0)
    assert np.array_equal(changed(before, changes(levels, before)), levels)
    few = before + (rng.random(before.shape) < 0.05).astype(kind)
    assert changes(few, before).nbytes < before.nbytes / 2


def test_changes_of_other_levels_are_refused() -> None:
    for content in (b"", b"1234", lzma.compress(b"1234")):
        with pytest.raises(ValueError, match="other levels"):
            changed(np.zeros((2, 3), np.uint8), np.frombuffer(content, np.uint8))


def drifting() -> dict[int, dict[str, torch.Tensor]]:
    """Return tensors that move a little in every epoch."""
    numbers = torch.Generator().manual_seed(0)
    table, kernel = torch.randn(300, 40, generator=numbers), torch.randn(50, 20, 5, generator=numbers)
    epochs = {}
    for epoch in range(EPOCHS):
        table, kernel = (one + 0.02 * torch.randn(one.shape, generator=numbers) for one in (table, kernel))
        epochs[epoch] = {"table": table, "kernel": kernel, "bias": torch.full((3,), float(epoch))}
    return epochs


def written(folder: Path, bits: Mapping[str, int]) -> dict[int, dict[str, torch.Tensor]]:
    epochs = drifting()
    grids = {name: Span.of([epochs[epoch][name].numpy() for epoch in epochs]).grid(n) for name, n in bits.items()}
    write_on_grid(folder, BASE, epochs, grids)
    return epochs


def read(folder: Path, epoch: int) -> dict[str, torch.Tensor]:
    return read_weights(folder / name for name in weights_files(epoch, [path.name for path in folder.iterdir()]))


def test_every_epoch_is_half_a_step_off_whatever_its_way_from_the_base(tmp_path: Path) -> None:
    epochs = written(tmp_path, {"table": 8, "kernel": 11})
    for epoch, tensors in epochs.items():
        stored = read(tmp_path, epoch)
        assert stored.keys() == tensors.keys()
        assert torch.equal(stored["bias"], tensors["bias"])
        for name, most in (("table", 0.03), ("kernel", 0.004)):
            assert stored[name].shape == tensors[name].shape
            assert 0 < (stored[name] - tensors[name]).abs().max() <= most
    there = [path.name for path in tmp_path.iterdir()]
    assert weights_files(BASE, there) == [base_file(BASE), weights_file(BASE)]
    assert weights_files(6, there) == [base_file(BASE), *map(weights_file, (8, 7, 6))]
    assert weights_files(10, there) == [base_file(BASE), *map(weights_file, (8, 9, 10))]
    half = 2 * sum(tensor.numel() for tensor in epochs[0].values())
    assert all((tmp_path / weights_file(epoch)).stat().st_size < 0.5 * half for epoch in epochs)


def test_epochs_that_are_read_one_after_the_other_unpack_few_changes_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    epochs = written(tmp_path, {"table": 8})
    unpacked, decompress = [], lzma.decompress
    monkeypatch.setattr(lzma, "decompress", lambda content: unpacked.append(1) or decompress(content))
    for order in (range(EPOCHS), reversed(range(EPOCHS))):
        unpacked.clear()
        for epoch in order:
            torch.testing.assert_close(read(tmp_path, epoch)["table"], epochs[epoch]["table"], rtol=0, atol=0.03)
        assert len(unpacked) <= 3 * EPOCHS, "42 if each epoch were made of the base"
    before = read(tmp_path, 6)["table"]
    save_file(load_file(tmp_path / weights_file(6)), tmp_path / weights_file(7))
    assert not torch.equal(read(tmp_path, 6)["table"], before), "what was read before another file was there"


def test_some_epochs_are_kept_exactly(tmp_path: Path) -> None:
    written(tmp_path, {"table": 8, "kernel": 11})
    before = {epoch: read(tmp_path, epoch) for epoch in (0, 3, BASE, 11)}
    keep_only(tmp_path, before)
    assert epochs_in("epoch-", [path.name for path in tmp_path.iterdir()]) == list(before)
    for epoch, tensors in before.items():
        stored = read(tmp_path, epoch)
        assert all(torch.equal(stored[name], tensor) for name, tensor in tensors.items())


class Net(torch.nn.Module):
    """Looks words up in a frozen table; one of its two layers weighs little."""

    def __init__(self) -> None:
        super().__init__()
        vectors = unpack(pack(torch.randn(64, 64).numpy()))  # as those of another run are stored
        self.frozen = torch.nn.Embedding.from_pretrained(torch.from_numpy(vectors))
        self.heavy, self.light = torch.nn.Linear(64, 64), torch.nn.Linear(64, 64)

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        vectors = self.frozen(ids)
        return 20 * self.heavy(vectors) + 0.01 * self.light(vectors)


def test_what_answers_depend_on_gets_more_bits_until_they_are_within_the_bound(tmp_path: Path) -> None:
    torch.manual_seed(0)
    net, words = Net(), torch.arange(64)
    exact, answered = {}, {}
    for epoch in range(3):
        with torch.no_grad():
            for layer in (net.heavy, net.light):
                layer.weight += 0.01 * torch.randn(64, 64)
        exact[epoch] = {name: tensor.half().contiguous() for name, tensor in net.state_dict().items()}
        save_file({name: tensor.numpy() for name, tensor in exact[epoch].items()}, tmp_path / weights_file(epoch))
        net.load_state_dict(exact[epoch])
        answered[epoch] = net(words).detach().numpy()
    for _again in range(2):  # a training that is stopped here goes on from here
        stored = store_epochs(tmp_path, None, 1, net, lambda: net(words).detach().numpy(), large=64)
        assert stored.epochs == (0, 1, 2)
        assert 0 < stored.change <= BOUND
        assert (tmp_path / FROZEN).exists()
        for epoch in stored.epochs:
            net.load_state_dict(read(tmp_path, epoch))
            assert np.quantile(np.abs(net(words).detach().numpy() - answered[epoch]), 0.99) <= 4 * BOUND
    base = load_file(tmp_path / base_file(1))
    assert "heavy.weight.changes" in base, "more than eight bits"
    assert base["light.weight.levels"].dtype == np.uint8
    few = store_epochs(tmp_path, (0,), 1, net, lambda: net(words).detach().numpy(), large=64)
    assert few.epochs == (0, 1)
    assert not (tmp_path / weights_file(2)).exists()


def test_epochs_that_a_run_keeps() -> None:
    assert kept_of(None, range(4), 2) == (0, 1, 2, 3)
    assert kept_of((0, 9), range(4), 2) == (0, 2)
    assert kept_of(SPARSE, range(25), 23) == (0, 1, 2, 3, 5, 8, 12, 16, 20, 23, 24)


def test_files_are_put_in_place_together_whenever_the_process_was_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(tmp_path, {"table": 8})
    before = {epoch: read(tmp_path, epoch) for epoch in (0, BASE)}
    replaced, replace = [], Path.replace
    for renames in range(3):  # of three files

        def killed(path: Path, target: Path, most: int = renames) -> Path:
            if path.name.startswith(".new-"):
                if len(replaced) == most:
                    raise KeyboardInterrupt
                replaced.append(path)
            return replace(path, target)

        replaced.clear()
        with monkeypatch.context() as patch:
            patch.setattr(Path, "replace", killed)
            with pytest.raises(KeyboardInterrupt):
                keep_only(tmp_path, before)
        settle(tmp_path)
        assert not list(tmp_path.glob(".new-*"))
        for epoch, tensors in before.items():
            assert torch.equal(read(tmp_path, epoch)["table"], tensors["table"])
    (tmp_path / ".new-epoch-03.safetensors").write_bytes(b"half of them")
    settle(tmp_path)
    assert not list(tmp_path.glob(".new-*"))
