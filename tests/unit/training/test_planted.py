"""Labels flipped before a training: which ones, what is trained, and where suspects are found."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from nlpviz.results.planted import RANKINGS, PlantedFlips, ranks_of
from nlpviz.runs import RunError, open_run
from nlpviz.runs.planted import PLANTED, planted_flips, write_planted
from nlpviz.runs.training_log import TRAINING_LOG, training_log
from nlpviz.training import Options, TrainingError
from nlpviz.training.classifier import classifier_recipe
from nlpviz.training.held_out import held_out
from nlpviz.training.planted import Planting, flipped, plant
from tests import toy
from tests.unit.conftest import Printed

CPU = Options(device="cpu")


def flips(ranks: list[int], documents: int = 40) -> PlantedFlips:
    """Return flips that every ranking but one has put at ``ranks``, and that one at the end."""
    ids = tuple(f"train/{number}" for number in range(len(ranks)))
    last = np.arange(documents - len(ranks), documents, dtype=np.int32)
    by = {name: np.array(ranks, dtype=np.int32) for name in RANKINGS} | {"loss": last}
    return PlantedFlips("toy-cnn", 0.1, 3, documents, (0.5, 1.0), 0.9, ids, by)


def test_what_is_found_is_counted_by_hand() -> None:
    """The top tenth of 40 are ranks 0 to 3."""
    found = flips([0, 3, 4, 39]).found("confidence")
    assert (found.share, found.flips) == (0.5, 2)
    assert found.interval.low < 0.5 < found.interval.high
    assert flips([0, 3, 4, 39]).found("loss").flips == 0
    assert flips([0, 3, 4, 39]).compared("confidence", "loss").first_only == 2
    tops = np.array([0, 0.025, 0.125, 1])
    np.testing.assert_allclose(flips([0, 3, 4, 39]).curve("confidence", tops), [0, 0.25, 0.75, 1])
    assert ranks_of(np.array([2, 0, 1]), np.array([1, 2])).tolist() == [2, 0]


def test_only_texts_that_are_trained_on_are_flipped_and_the_held_out_ones_stay() -> None:
    settings, labels = toy.settings("cnn"), toy.read("train").labels
    arrays, positions = flipped({"labels": labels}, 2, settings, Planting(0.1, seed=1))
    train, held = held_out(labels, 2, settings.validation)
    assert len(positions) == round(0.1 * len(train))
    assert set(positions) <= set(train)
    np.testing.assert_array_equal(np.flatnonzero(arrays["labels"] != labels), positions)
    np.testing.assert_array_equal(np.flatnonzero(arrays["held_out"] == 1), np.sort(held))
    assert not np.array_equal(positions, flipped({"labels": labels}, 2, settings, Planting(0.1, seed=2))[1])
    three, places = flipped({"labels": labels}, 3, settings, Planting(0.5))
    assert (three["labels"][places] != labels[places]).all()
    assert set(three["labels"]) == {0, 1, 2}
    with pytest.raises(TrainingError, match="flips none or all"):
        flipped({"labels": labels}, 2, settings, Planting(0.001))


@pytest.mark.usefixtures("toy_modules")
def test_flipped_labels_are_the_suspects_of_a_training(tmp_path: Path) -> None:
    """One word decides every toy text, so that a flipped label contradicts all others."""
    recipe = classifier_recipe("toy-cnn", "Toy cnn", toy.settings("cnn", replace(toy.FIT, epochs=2)))
    found = plant(recipe, Planting(0.05), tmp_path / "planted", CPU)
    assert len(found.ids) == 9
    assert found.documents == 180
    assert found.moments == tuple(np.arange(1, 9) / 4)
    assert found.found("confidence").share > 0.85
    assert found.accuracy > 0.8, "the labels of the validation texts are as they were"
    with pytest.raises(TrainingError, match="does not train a classifier"):
        plant(toy.baseline(), Planting(), tmp_path / "none", CPU)


@pytest.mark.usefixtures("toy_modules", "trained")
def test_the_command_keeps_what_was_found_with_the_run(printed: Printed) -> None:
    before = training_log(open_run("toy-cnn")).labels
    facts = printed.json("plant", "toy-cnn", "--epochs", "1", "--share", "0.1", "--seed", "4", "--moments", "2")
    run = open_run("toy-cnn")
    kept = planted_flips(run)
    assert kept.seed == 4
    assert len(kept.ids) == facts["flipped"] == 18
    assert facts["found"]["self"]["share"] > 0.5
    assert facts["found"]["confidence"]["share"] == kept.found("confidence").share
    np.testing.assert_array_equal(training_log(run).labels, before), "the run's own log is untouched"
    assert not (run.folder.parent / ".unfinished" / "toy-cnn-planted").exists()
    assert "`plant` does not apply to it" in printed.refused("plant", "toy-ngrams")


@pytest.mark.usefixtures("trained")
def test_a_damaged_file_costs_a_sentence() -> None:
    import pyarrow.parquet as pq

    assert planted_flips(open_run("toy-cnn")) is None
    run = write_planted(open_run("toy-cnn"), flips([0, 1]))
    assert planted_flips(run).moments == (0.5, 1.0)
    path = run.folder / PLANTED
    pq.write_table(pq.read_table(path).replace_schema_metadata({"nlpviz": "{}"}), path)
    with pytest.raises(RunError, match="is damaged or incomplete"):
        planted_flips(run.save())
    assert TRAINING_LOG in run.files
