"""Logs of committed trainings say what their manifests and histories say, and planted flips are found."""

from __future__ import annotations

import numpy as np
import pytest

from nlpviz.results.cartography import Cartography
from nlpviz.results.history import EpochRecord
from nlpviz.results.training_log import Role
from nlpviz.runs import Run, list_runs
from nlpviz.runs.history import read_history
from nlpviz.runs.planted import PLANTED, planted_flips
from nlpviz.runs.predictions import predictions_of
from nlpviz.runs.training_log import TRAINING_LOG, training_log
from tests.promises import for_each

LOGGED = [run for run in list_runs()[0].values() if TRAINING_LOG in run.files]
PLANTS = [run for run in LOGGED if PLANTED in run.files]


@for_each(LOGGED)
def test_a_log_has_every_document_of_its_corpus_and_is_small(run: Run) -> None:
    log = training_log(run)
    assert len(log.ids) == len(set(log.ids))
    counts = {role: int((log.parts == role).sum()) for role in Role}
    sizes = run.corpus
    assert (counts[Role.TRAINED], counts[Role.HELD_OUT]) == (sizes["train"], sizes["validation"])
    assert log.of(Role.TEST).ids == predictions_of(run).ids
    assert (run.folder / TRAINING_LOG).stat().st_size < 1.25 * 2**20


@for_each(LOGGED)
def test_a_log_is_as_accurate_as_the_history_and_the_manifest_say(run: Run) -> None:
    log = training_log(run)
    for record in read_history(run, EpochRecord):
        (at,) = np.flatnonzero(log.moments == record.epoch)
        for role, accuracy in ((Role.TRAINED, record.train_accuracy), (Role.HELD_OUT, record.validation_accuracy)):
            assert log.right[log.parts == role, at].mean() == pytest.approx(accuracy, abs=2e-3)
        if record.epoch == run.best_epoch:
            assert log.right[log.parts == Role.TEST, at].mean() == pytest.approx(
                run.metrics["test"]["accuracy"], abs=1e-3
            )
            losses = -np.log(log.probabilities[log.parts == Role.TEST, at])
            beyond = (losses >= 7.9).mean()  # log-odds under -8 are told as -8
            assert run.metrics["test"]["loss"] == pytest.approx(losses.mean() + 2 * beyond, abs=2e-3 + 2 * beyond)


@for_each(PLANTS)
def test_planted_flips_are_among_the_suspects(run: Run) -> None:
    """At least 60 of 100 among a tenth of the documents, where chance finds ten."""
    flips = planted_flips(run)
    assert flips.documents == run.corpus["train"]
    assert len(flips.ids) == round(flips.share * flips.documents) == len(set(flips.ids))
    found = flips.found("confidence")
    assert found.share >= 0.6
    assert found.interval.low > 0.1
    trained = training_log(run).of(Role.TRAINED)
    assert set(flips.ids) <= set(trained.ids)
    own = Cartography.of(trained)
    first = {trained.ids[position] for position in own.suspects[: len(trained.ids) // 10]}
    assert len(first & set(flips.ids)) / len(flips.ids) < 0.2, "with their own labels they are no suspects"
