"""How weights are stored: half precision or eight bits a number, and once where no epoch changes them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from nlpviz.runs.epochs import prune_checkpoints
from nlpviz.runs.quantized import LEVELS, pack, unpack
from nlpviz.runs.weights import FROZEN, read_weights, weights_file, write_weights

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
