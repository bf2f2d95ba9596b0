"""Seeds that are kept with committed runs: as accurate as the run, small, and less than what training changes."""

from __future__ import annotations

import pytest

from nlpviz.analysis.projections.drift import drift_of
from nlpviz.results.churn import seeds_churn
from nlpviz.results.drift import Verdict
from nlpviz.runs import Run, list_runs
from nlpviz.runs.churn import churn_of_networks
from nlpviz.runs.more_seeds import SEEDS, more_seeds
from nlpviz.runs.predictions import predictions_of
from nlpviz.runs.seeds import seeds_of
from tests.promises import for_each

RUNS = list(list_runs()[0].values())
SEEDED = [run for run in RUNS if SEEDS in run.files]


@for_each(SEEDED)
def test_two_more_seeds_stand_beside_a_run_that_another_seed_trained(run: Run) -> None:
    """Whenever the two were trained: their manifests may name other settings that are off."""
    assert [one.seed for one in more_seeds(run)] == [2, 3]
    assert [one.name for one in seeds_of(run, RUNS)] == [f"{run.name}-seed-1"]


@for_each(SEEDED)
def test_seeds_are_as_accurate_as_the_run_and_small(run: Run) -> None:
    found = more_seeds(run)
    numbers = [run.seed, *(one.seed for one in found), *(one.seed for one in seeds_of(run, RUNS))]
    assert len(set(numbers)) == len(numbers), "each seed once"
    for one in found:
        accuracy = (one.predicted.classes == predictions_of(run).labels).mean()
        assert accuracy == pytest.approx(run.metrics["test"]["accuracy"], abs=0.01)
    assert (run.folder / SEEDS).stat().st_size < 0.55 * 2**20 * len(found)


@for_each(SEEDED)
def test_training_changes_more_than_seeds_and_the_last_epochs_less(run: Run) -> None:
    found = drift_of(run, seeds_of(run, RUNS), 10)
    epochs = {one.found.key: one.verdict for one in found.group("epochs")}
    assert epochs["epoch 0"] is Verdict.BEYOND
    if (before := f"epoch {run.best_epoch - 1}") in epochs:
        assert epochs[before] is Verdict.BELOW
    assert {one.verdict for one in found.group("seeds")} == {Verdict.WITHIN}
    band = seeds_churn(churn_of_networks(run, seeds_of(run, RUNS)))
    assert band is not None
    assert 0.01 < band.low < band.high < 0.06
