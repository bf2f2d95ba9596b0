"""What is kept of a run's other files is what they come to, and counts no longer than they are there."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from nlpviz.analysis.projections import drift
from nlpviz.analysis.projections.drift import drift_of, keep_neighbours, nearest_of
from nlpviz.data.battery import battery
from nlpviz.run_kinds.behaviours import asked_epochs, probe
from nlpviz.runs import Run, open_run
from nlpviz.runs.behaviours import read_probed, write_probed
from nlpviz.runs.derived import BEHAVIOURS
from nlpviz.runs.documents import DOCUMENTS
from nlpviz.runs.neighbours import STORED, chosen_neighbours, seeds_neighbours

PAIRS = battery()[:30]


@pytest.fixture
def run(trained: Path) -> Run:
    """The toy CNN's run, a copy of this test's own."""
    return Run.open(trained / "toy-cnn")


def without(run: Run, name: str) -> Run:
    """Return the run as it were if another file stood under ``name``."""
    return replace(run, files=dict(run.files) | {name: "0" * 64})


def test_answers_are_read_as_they_were_given_and_for_these_pairs_alone(run: Run) -> None:
    assert read_probed(run, PAIRS) is None
    found = [probe(run, epoch, PAIRS, "cpu") for epoch in asked_epochs(run)]
    kept = write_probed(run, PAIRS, found)
    assert BEHAVIOURS in open_run(run.name).files
    again = read_probed(kept, PAIRS)
    assert again is not None
    assert [one.epoch for one in again] == list(run.epochs)
    for one, other in zip(found, again, strict=True):
        np.testing.assert_array_equal(one.positive, other.positive)
        np.testing.assert_array_equal(one.known, other.known)
    assert read_probed(kept, PAIRS[:-1]) is None
    assert read_probed(kept, PAIRS[::-1]) is None


def test_answers_of_other_weights_are_not_read(run: Run) -> None:
    kept = write_probed(run, PAIRS, [probe(run, epoch, PAIRS, "cpu") for epoch in asked_epochs(run)])
    assert read_probed(without(kept, "maps.parquet"), PAIRS) is not None
    for name in ("epoch-01.safetensors", "vocabulary.txt"):
        assert read_probed(without(kept, name), PAIRS) is None


def test_neighbours_are_read_as_they_were_computed_and_for_these_documents_alone(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert chosen_neighbours(run) is None
    assert seeds_neighbours(run) is None
    computed, others = nearest_of(run, run.best_epoch), [open_run("toy-ngrams")]
    before = drift_of(run, others, 5)
    kept = Run.open(keep_neighbours(run).folder)
    assert chosen_neighbours(without(kept, DOCUMENTS)) is None
    assert seeds_neighbours(kept) == {}
    again = drift_of(kept, others, 5)
    for one, other in zip(before.compared, again.compared, strict=True):
        np.testing.assert_array_equal(one.found.changed, other.found.changed)
    monkeypatch.setattr(drift, "nearest_by_cosine", None)  # nothing is computed again
    fresh = Run.open(kept.folder)
    np.testing.assert_array_equal(nearest_of(fresh, fresh.best_epoch, STORED), computed[:, :STORED])
