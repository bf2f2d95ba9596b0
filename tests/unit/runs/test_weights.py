"""How weights are stored: half precision or eight bits a number, and once where no epoch changes them."""

from __future__ import annotations

import lzma
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from safetensors.numpy import save_file

from nlpviz.runs.quantized import LEVELS, pack, unpack
from nlpviz.runs.weights import (
    FROZEN,
    changes_file,
    keep_changes,
    prune_checkpoints,
    read_weights,
    weights_file,
    weights_files,
    write_weights,
)

LARGE = torch.Generator().manual_seed(0)
TABLE = torch.randn(2**13, 2**7, generator=LARGE)  # just large enough for eight bits


# ---------------------------------------------------------------------------------------------------- eight bits


@given(arrays(np.float32, (3, 7), elements=st.floats(-8, 8, width=32)))
def test_a_value_is_off_by_half_a_step_at_most(rows: np.ndarray) -> None:
    packed = pack(rows)
    assert packed.levels.dtype == np.uint8
    spans = np.ptp(rows, axis=1, keepdims=True)
    # half a step, and what rounding `low` and `step` to half precision costs
    room = spans / (2 * LEVELS) + 2e-3 * (np.abs(rows).max(axis=1, keepdims=True) + spans) + 1e-4
    assert (np.abs(unpack(packed) - rows) <= room).all()


def test_by_hand() -> None:
    packed = pack(np.array([[0.0, 1.0, 2.0, 255.0], [3.0, 3.0, 3.0, 3.0]], dtype=np.float32))
    assert packed.levels.tolist() == [[0, 1, 2, 255], [0, 0, 0, 0]]
    assert packed.low.tolist() == [0, 3]
    assert packed.step.tolist() == [1, 0]
    assert unpack(packed).tolist() == [[0, 1, 2, 255], [3, 3, 3, 3]]


# ------------------------------------------------------------------------------------------------------- weights


def test_large_tables_alone_are_in_eight_bits(tmp_path: Path) -> None:
    path, tensors = tmp_path / "weights", {"table": TABLE, "output": TABLE[:10], "bias": TABLE[0]}
    write_weights(path, tensors, eight_bits=True)
    read = read_weights([path])
    assert path.stat().st_size < 1.1 * TABLE.numel()
    assert set(read) == set(tensors)
    torch.testing.assert_close(read["output"], TABLE[:10], rtol=1e-3, atol=1e-3)
    span = TABLE.max(dim=1).values - TABLE.min(dim=1).values
    assert ((read["table"] - TABLE).abs() <= span[:, None] / 400).all()
    assert ((read["table"] - TABLE).abs().max()) > 1e-3, "nothing was packed"
    write_weights(path, tensors)
    torch.testing.assert_close(read_weights([path])["table"], TABLE, rtol=1e-3, atol=1e-3)


def test_neighbours_hold_in_eight_bits(tmp_path: Path) -> None:
    write_weights(tmp_path / "weights", {"table": TABLE}, eight_bits=True)
    nearest = [
        torch.nn.functional.normalize(table) @ torch.nn.functional.normalize(table[:50]).T
        for table in (TABLE, read_weights([tmp_path / "weights"])["table"])
    ]
    first, second = (similarity.topk(11, dim=0).indices for similarity in nearest)
    shared = [len(set(a.tolist()) & set(b.tolist())) / 11 for a, b in zip(first.T, second.T, strict=True)]
    assert np.mean(shared) > 0.97


def test_pruned_runs_keep_what_no_epoch_changes_once(tmp_path: Path) -> None:
    def epoch(number: int) -> dict[str, torch.Tensor]:
        return {"table": TABLE, "output": torch.full((2, 3), float(number))}

    for number in range(4):
        write_weights(tmp_path / weights_file(number), epoch(number))
    for _again in range(2):  # a training that is stopped here goes on from here
        prune_checkpoints(tmp_path, (0, 3), eight_bits=True)
        assert {path.name for path in tmp_path.iterdir()} == {FROZEN, weights_file(0), weights_file(3)}
        for number in (0, 3):
            read = read_weights([tmp_path / FROZEN, tmp_path / weights_file(number)])
            assert torch.equal(read["output"], epoch(number)["output"])
            torch.testing.assert_close(read["table"], TABLE, rtol=0, atol=0.03)
    assert (tmp_path / weights_file(0)).stat().st_size < 1_000


def test_one_epoch_alone_has_nothing_to_share(tmp_path: Path) -> None:
    write_weights(tmp_path / weights_file(0), {"output": torch.ones(2, 2)})
    prune_checkpoints(tmp_path, (0,), eight_bits=False)
    assert [path.name for path in tmp_path.iterdir()] == [weights_file(0)]


def test_half_of_a_packed_table_is_no_table(tmp_path: Path) -> None:
    write_weights(tmp_path / "weights", {"table.levels": torch.ones(2, 2)})
    with pytest.raises(KeyError):
        read_weights([tmp_path / "weights"])


def test_levels_that_hardly_change_are_kept_as_changes(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    first = rng.integers(0, 256, (300, 40), dtype=np.uint8)
    nearly = first + (rng.random(first.shape) < 0.05).astype(np.uint8)  # 255 becomes 0
    tables = {0: first, 1: first, 2: nearly, 4: rng.integers(0, 256, first.shape, dtype=np.uint8)}
    for epoch, levels in tables.items():
        others = {"table.low": 300, "table.step": 300, "output": 3}
        small = {name: np.full(size, 0.5 + epoch, np.float16) for name, size in others.items()}
        save_file(small | {"table.levels": levels}, tmp_path / weights_file(epoch))
    whole = {epoch: read_weights([tmp_path / weights_file(epoch)]) for epoch in tables}
    keep_changes(tmp_path, tables)
    there = {path.name for path in tmp_path.iterdir()}
    assert there - {weights_file(epoch) for epoch in tables} == {changes_file(1, 2)}
    for epoch, expected in whole.items():
        read = read_weights(tmp_path / name for name in weights_files(epoch, there))
        assert read.keys() == expected.keys()
        assert all(torch.equal(read[name], tensor) for name, tensor in expected.items())
    assert sum((tmp_path / name).stat().st_size for name in (changes_file(1, 2), weights_file(1))) < first.nbytes / 2
    prune_checkpoints(tmp_path, (0, 1, 4), eight_bits=True, large=1)  # what they were changes from goes
    assert {path.name for path in tmp_path.iterdir()} == {weights_file(epoch) for epoch in (0, 1, 4)}
    torch.testing.assert_close(read_weights([tmp_path / weights_file(1)])["table"], whole[1]["table"], rtol=0, atol=2)


def test_epochs_that_are_read_one_after_the_other_unpack_few_changes_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng, levels, epochs = np.random.default_rng(0), np.zeros((300, 40), np.uint8), range(1, 12)
    for epoch in epochs:
        levels = levels + (rng.random(levels.shape) < 0.05).astype(np.uint8)
        small = {"table.low": np.full(300, epoch, np.float16), "table.step": np.ones(300, np.float16)}
        save_file(small | {"table.levels": levels}, tmp_path / weights_file(epoch))
    whole = {epoch: read_weights([tmp_path / weights_file(epoch)])["table"] for epoch in epochs}
    keep_changes(tmp_path, epochs)
    there = {path.name for path in tmp_path.iterdir()}
    unpacked, decompress = [], lzma.decompress
    monkeypatch.setattr(lzma, "decompress", lambda content: unpacked.append(1) or decompress(content))
    for order in (epochs, [*reversed(epochs)]):
        unpacked.clear()
        for epoch in order:
            read = read_weights(tmp_path / name for name in weights_files(epoch, there))
            assert torch.equal(read["table"], whole[epoch])
        assert len(unpacked) <= 3 * len(epochs), "55 if each epoch were made of the last one"
    again = tmp_path / changes_file(10, 11)
    save_file({"table.changes": np.frombuffer(lzma.compress(np.ones_like(levels).tobytes()), np.uint8)}, again)
    read = read_weights(tmp_path / name for name in weights_files(9, there))
    assert not torch.equal(read["table"], whole[9]), "what was read before another file stood there"


def test_changes_of_other_levels_are_refused(tmp_path: Path) -> None:
    save_file({"table.levels": np.zeros((2, 3), np.uint8)}, tmp_path / "weights")
    for content in (b"", b"1234", lzma.compress(b"1234")):
        save_file({"table.changes": np.frombuffer(content, np.uint8)}, tmp_path / "changes")
        with pytest.raises(ValueError, match="other levels"):
            read_weights([tmp_path / "weights", tmp_path / "changes"])
