"""The committed networks with a tape: as good as they must be at lengths they never saw, and better than an LSTM.

Written for whatever is in ``trained/``: without such a run they are skipped.
"""

from __future__ import annotations

import pytest

from nlpviz.language.decoding.bits import length_error
from nlpviz.runs import Run, list_runs
from nlpviz.runs.transducers import KIND, load_transducer, read_lengths, task_of
from tests.promises import for_each
from tests.trained.again import again

RUNS = [run for run in list_runs()[0].values() if run.kind == KIND]
TAPED = [run for run in RUNS if "cells" in run.config]
TRAINED, TWICE = 0.01, 0.05  # bits wrong at most
SAMPLE = 100  # sequences of a length, the first of those that were measured

pytestmark = pytest.mark.skipif(not RUNS, reason="no network with a tape is in trained/ yet")
taped = for_each(TAPED)


def test_every_task_has_a_tape_and_an_lstm_beside_it() -> None:
    learnt = {(run.corpus["name"], "cells" in run.config) for run in RUNS}
    tasks = {task for task, _ in learnt}
    assert learnt == {(task, has_tape) for task in tasks for has_tape in (True, False)}
    assert {"copying", "associative-recall"} <= tasks


@taped
def test_hardly_a_bit_is_wrong(run: Run) -> None:
    assert run.metrics["test"]["error"] <= TRAINED
    assert run.metrics["test"]["error_twice"] <= TWICE


@taped
def test_an_lstm_with_as_many_sequences_is_wrong_more_often(run: Run) -> None:
    (beside,) = (one for one in RUNS if one.corpus == run.corpus and one not in TAPED)
    assert {key: run.recipe["fit"][key] for key in ("epochs", "steps", "batch_size")} == {
        key: beside.recipe["fit"][key] for key in ("epochs", "steps", "batch_size")
    }
    assert beside.metrics["test"]["error"] > 10 * TRAINED


@again(RUNS)
def test_the_stored_errors_are_those_of_the_stored_weights(run: Run) -> None:
    """At the longest trained length and at twice that; sums in another order may turn a bit that stands at zero."""
    task, stored = task_of(run), {(row.epoch, row.length): row for row in read_lengths(run)}
    module = load_transducer(run)
    for length in (task.trained[-1], task.twice):
        row = stored[run.best_epoch, length]
        assert row.sequences == SAMPLE
        assert length_error(module, task, run.best_epoch, length, SAMPLE, "test").error == pytest.approx(
            row.error, abs=0.002
        )


@taped
def test_before_training_it_guesses(run: Run) -> None:
    row = next(row for row in read_lengths(run) if row.epoch == 0 and row.length == task_of(run).trained[-1])
    assert 0.4 < row.error < 0.6
