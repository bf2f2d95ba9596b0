"""Word vectors before training, drawn again from their seed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file, save_file

from nlpviz.runs import RunError
from nlpviz.runs.initial_vectors import first_vectors
from nlpviz.runs.quantized import pack, unpack
from nlpviz.runs.vectors import read_vectors, tables, write_vectors
from nlpviz.runs.weights import weights_file
from tests.words import write_toy_run


@pytest.mark.parametrize(("seed", "shape"), [(0, (300, 50)), (12, (7, 3)), (2**32 - 1, (40, 11))])
def test_the_numbers_are_those_that_torch_draws(seed: int, shape: tuple[int, int]) -> None:
    torch.manual_seed(seed)
    torch.testing.assert_close((torch.rand(shape) - 0.5) / shape[1], torch.from_numpy(first_vectors(seed, shape)),
                               rtol=0, atol=0)  # fmt: skip


def test_a_table_is_stored_as_its_seed_where_that_draws_it(tmp_path: Path) -> None:
    run = write_toy_run(tmp_path)
    path, drawn = run.folder / weights_file(0), first_vectors(7, (len(read_vectors(run)), 200))
    write_vectors(path, {"input": torch.from_numpy(drawn)}, seed=7)
    assert path.stat().st_size < 1_000
    run = run.save()
    assert tables(run, 0) == ("input",)
    found, stored = read_vectors(run, 0), unpack(pack(drawn))
    np.testing.assert_allclose(found.directions * found.lengths[:, None], stored, rtol=1e-5)
    with pytest.raises(RunError, match="Epoch 0 of the run 'toy-words' has no stored output vectors"):
        read_vectors(run, 0, "output")
    save_file(load_file(path) | {"input.drawn": np.array([8, *drawn.shape])}, path)
    with pytest.raises(RunError, match=r"epoch-00.safetensors of the run 'toy-words' cannot be read"):
        read_vectors(run.save(), 0)
    write_vectors(path, {"input": torch.from_numpy(drawn + 1)}, seed=7)
    assert set(load_file(path)) == {"input.levels", "input.low", "input.step"}
