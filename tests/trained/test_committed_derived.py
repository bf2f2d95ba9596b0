"""What runs keep of their own answers and neighbours is what they come to now."""

from __future__ import annotations

import numpy as np
import pytest

from nlpviz.analysis.projections.drift import NEAREST, nearest_of
from nlpviz.data.battery import battery
from nlpviz.run_kinds.behaviours import probe
from nlpviz.runs import list_runs, open_run
from nlpviz.runs.behaviours import read_probed
from nlpviz.runs.derived import BEHAVIOURS, NEIGHBOURS
from nlpviz.runs.more_seeds import SEEDS, more_seeds
from nlpviz.runs.neighbours import STORED, chosen_neighbours, seeds_neighbours

RUNS = list(list_runs()[0].values())


def test_answers_that_are_kept_are_those_of_the_weights_and_the_battery() -> None:
    kept = [run for run in RUNS if BEHAVIOURS in run.files]
    assert kept
    assert [run.name for run in kept if read_probed(run, battery()) is None] == [], "behaviours RUN --write"


def test_neighbours_that_are_kept_are_those_of_the_embeddings() -> None:
    kept = [run for run in RUNS if NEIGHBOURS in run.files]
    assert kept
    assert [run.name for run in kept if chosen_neighbours(run) is None] == [], "drift RUN --write"
    assert all(
        seeds_neighbours(run).keys() == {one.seed for one in more_seeds(run)} for run in kept if SEEDS in run.files
    )


@pytest.mark.parametrize("name", [next(run.name for run in RUNS if BEHAVIOURS in run.files), "imdb-ngrams"])
def test_answers_come_out_again(name: str) -> None:
    run = open_run(name)
    stored = read_probed(run, battery())
    assert stored is not None
    now = probe(run, stored[-1].epoch, battery(), "cpu")
    np.testing.assert_allclose(stored[-1].positive, now.positive, atol=1e-4)
    np.testing.assert_array_equal(stored[-1].known, now.known)


def test_neighbours_come_out_again() -> None:
    run = next(run for run in RUNS if NEIGHBOURS in run.files)
    stored, now = chosen_neighbours(run), nearest_of(run, run.best_epoch, NEAREST)
    assert stored is not None
    assert (stored == now[:, :STORED]).mean() > 0.999, "but where two are as near"
