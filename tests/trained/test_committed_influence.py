"""Committed sketches and trainings without documents: sizes, whose documents they are of, and the bar of the proof."""

from __future__ import annotations

import numpy as np

from nlpviz.results.training_log import Role
from nlpviz.run_kinds.influence import influence
from nlpviz.runs import Run, list_runs
from nlpviz.runs.documents import documents_of
from nlpviz.runs.influence import INFLUENCE, sketches_of
from nlpviz.runs.left_out import LEFT_OUT, left_out
from nlpviz.runs.training_log import TRAINING_LOG, training_log
from tests.promises import for_each

RUNS = list_runs()[0].values()
SKETCHED, TRIED = ([run for run in RUNS if name in run.files] for name in (INFLUENCE, LEFT_OUT))


@for_each(SKETCHED)
def test_sketches_are_of_all_documents_that_were_trained_on_and_small(run: Run) -> None:
    stored = sketches_of(run)
    assert (run.folder / INFLUENCE).stat().st_size < 2 * 2**20
    assert len(stored.ids) == len(set(stored.ids)) == run.corpus["train"]
    assert set(stored.epochs) <= set(run.epochs)
    assert (stored.selves > 0).all()
    if TRAINING_LOG in run.files:
        trained = training_log(run).of(Role.TRAINED)
        assert stored.ids == trained.ids
        np.testing.assert_array_equal(stored.labels, trained.labels)


@for_each(SKETCHED)
def test_documents_of_the_own_class_help(run: Run) -> None:
    found = influence(run, "A wonderful, moving film with a great cast.", 1)
    assert (found.labels[found.helpful()] == 1).all()
    assert (found.labels[found.harmful()] == 0).all()


@for_each(TRIED)
def test_predictions_move_three_times_as_far_as_without_random_documents(run: Run) -> None:
    found = left_out(run)
    assert found is not None
    assert len(found.ids) >= 24
    assert set(found.ids) <= set(documents_of(run).ids)
    for other in ("random", "same"):
        assert found.ratio(other).value >= 3
        assert found.ratio(other).interval.low > 1
    assert found.fell >= 0.9 * len(found.ids), "what helped a prediction is missed"
