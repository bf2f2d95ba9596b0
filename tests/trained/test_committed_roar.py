"""The committed trainings without important words: as many as the command makes, and what is said of them."""

from __future__ import annotations

from nlpviz.results.roar import RANDOM, SHARES, WHOLE, WORD_LIST, cells
from nlpviz.run_kinds.roar import usual_methods
from nlpviz.runs import Run, list_runs
from nlpviz.runs.predictions import predictions_of
from nlpviz.runs.roar import ROAR, roar_of
from nlpviz.training.sampled import Shortened
from tests.promises import for_each

RETRAINED = [run for run in list_runs()[0].values() if ROAR in run.files]


@for_each(RETRAINED)
def test_they_are_those_of_the_command(run: Run) -> None:
    found, short = roar_of(run), Shortened()
    assert found is not None
    assert found.cells == cells((*usual_methods(run), WORD_LIST), 1, random_seeds=3)
    assert (found.texts, found.validation, len(found.ids)) == (short.texts, short.validation, short.test)
    assert found.shares == SHARES
    assert len(set(found.ids)) == len(found.ids)
    assert set(found.ids) <= set(predictions_of(run).ids)
    assert run.file(ROAR).stat().st_size < 1 << 16


@for_each(RETRAINED)
def test_a_short_training_is_far_above_chance_and_masks_take_from_it(run: Run) -> None:
    found = roar_of(run)
    assert found is not None
    assert found.reached(WHOLE).interval.low > 0.8
    for share in SHARES:
        assert found.reached(RANDOM, share).accuracy < found.reached(WHOLE).accuracy
