"""What a training said of every document is read back as it was, to a 128th."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlpviz.results.training_log import Role
from nlpviz.runs import Run, RunError, open_run
from nlpviz.runs.training_log import (
    LEVELS,
    TRAINING_LOG,
    levels_of,
    log_odds_of,
    training_log,
    write_training_log,
)
from nlpviz.training import TrainingError
from nlpviz.training.logged import log_kept_epochs
from nlpviz.training.predictions import probabilities
from nlpviz.training.texts import encoded
from tests import toy

pytestmark = pytest.mark.usefixtures("trained")


@pytest.fixture
def run() -> Run:
    """The toy network's run."""
    return open_run("toy-cnn")


@given(st.floats(-1e6, 1e6))
def test_a_level_is_a_128th_off_at_most_and_keeps_the_predicted_class(log_odds: float) -> None:
    level = levels_of(np.array([log_odds]))
    found = log_odds_of(level)
    with np.errstate(over="ignore"):
        before, after = 1 / (1 + np.exp(-log_odds)), 1 / (1 + np.exp(-found))
    assert abs(before - after) <= 1 / 128
    assert (found > 0) == (level >= LEVELS // 2) == (log_odds > 0), "zero is no answer for the last class"


def test_what_is_no_number_is_even_odds() -> None:
    assert levels_of(np.array([np.nan, np.inf, -np.inf])).tolist() == [LEVELS // 2 - 1, LEVELS - 1, 0]


def test_a_training_logs_every_quarter_of_an_epoch_for_all_documents(run: Run) -> None:
    log, (train, test) = training_log(run), (toy.read("train"), toy.read("test"))
    assert log.ids == (*train.ids, *test.ids)
    np.testing.assert_array_equal(log.labels, [*train.labels, *test.labels])
    last = max(run.epochs)
    np.testing.assert_array_equal(log.moments, np.arange(4 * last + 1) / 4)
    assert [(log.parts == part).sum() for part in Role] == [180, 60, 0, 90]
    assert log.tokens.tolist() == [len(text.split()) for text in (*train.texts, *test.texts)]
    rows = encoded(run.vocabulary, [*train.texts, *test.texts])
    for epoch in run.epochs:
        given = probabilities(run.load(epoch), rows)[np.arange(len(rows)), log.labels]
        np.testing.assert_allclose(log.probabilities[:, 4 * epoch], given, atol=1 / 128 + 2e-3)


@pytest.mark.usefixtures("toy_modules")
def test_kept_epochs_make_a_log_where_the_training_made_none(run: Run) -> None:
    full = training_log(open_run("toy-cnn"))
    (run.folder / TRAINING_LOG).unlink()
    run = run.save()
    with pytest.raises(RunError, match=r"`python -m nlpviz survey toy-cnn` creates a log of its stored epochs"):
        training_log(run)
    found = training_log(log_kept_epochs(run))
    np.testing.assert_array_equal(found.moments, run.epochs)
    assert found.ids == full.ids
    np.testing.assert_array_equal(found.parts, full.parts)
    np.testing.assert_allclose(found.probabilities, full.probabilities[:, ::4], atol=2e-2)
    few = replace(open_run("toy-cnn"), recipe={**run.recipe, "kept_epochs": [0]})
    with pytest.raises(TrainingError, match=r"no training log: `python -m nlpviz train toy-cnn` trains it again"):
        log_kept_epochs(few)


def test_more_classes_keep_the_predicted_one(run: Run) -> None:
    run = replace(run, class_names=("a", "b", "c"))
    levels = levels_of(np.array([[0.0, -1.0, 2.0], [3.0, -9.0, 2.0]]))
    documents = {"label": np.array([0, 1, 2]), "part": np.array([0, 1, 3]), "tokens": np.array([4, 5, 6])}
    predicted = np.array([[0, 2, 2], [0, 1, 1]])
    write_training_log(run.folder, [0.0, 1.0], levels, predicted, documents, ["train/0", "train/1", "test/0"])
    log = training_log(run.save())
    assert log.right.tolist() == [[True, True], [False, True], [True, False]]
    np.testing.assert_array_equal(log.log_odds, log_odds_of(levels).T)
    assert log.of(Role.TEST).ids == ("test/0",)


def test_a_log_without_moments_is_damaged(run: Run) -> None:
    import pyarrow.parquet as pq

    path = run.folder / TRAINING_LOG
    pq.write_table(pq.read_table(path).replace_schema_metadata({"nlpviz": "{}"}), path)
    with pytest.raises(RunError, match="is damaged or incomplete"):
        training_log(run.save())
