"""What all committed recipes read of their corpora: that it arrives as it is here, and travels at once."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from nlpviz.commands.all_runs import committed
from nlpviz.data import CorpusMissing
from nlpviz.training import Options, Recipe
from nlpviz.training.bounds import rehearsal
from nlpviz.training.packing import pack, packed_arrays, stages_of
from nlpviz.training.parts import MIB

MOST = 55 * MIB
SHARE = 0.001


def packed(folder: Path, share: float = 1.0) -> tuple[list[Path], list[Recipe]]:
    """Pack what all recipes read; return the parts, and the recipes that are fitted from them."""
    recipes = [recipe for recipe in committed() if recipe.stages is not None]
    try:
        return pack(recipes, folder, Options(device="cpu"), share), recipes
    except CorpusMissing as missing:
        pytest.skip(str(missing))


@pytest.mark.slow
def test_every_fit_elsewhere_reads_what_it_reads_where_the_corpora_are(tmp_path: Path) -> None:
    _, recipes = packed(tmp_path / "there", SHARE)
    options = Options(device="cpu")
    for recipe in recipes:
        with rehearsal(SHARE):
            arrived = packed_arrays(tmp_path / "there", recipe, options)
            here = stages_of(recipe).from_corpus(tmp_path, options)
        assert arrived.keys() == here.keys()
        for name, array in here.items():
            np.testing.assert_array_equal(arrived[name], array, err_msg=f"{recipe.name}, {name}")


@pytest.mark.slow
@pytest.mark.timeout(3_600)
def test_all_that_recipes_read_travels_at_once(tmp_path: Path) -> None:
    (part,), _ = packed(tmp_path / "there")
    assert part.stat().st_size <= MOST
