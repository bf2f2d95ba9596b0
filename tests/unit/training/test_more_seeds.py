"""More seeds of a recipe: what is trained is what ``train`` would train, and what is kept of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from nlpviz.results.seeds import SeedAnswers
from nlpviz.runs import Run, RunError, open_run
from nlpviz.runs.documents import documents_of, embeddings_of
from nlpviz.runs.more_seeds import SEEDS, more_seeds, write_seeds
from nlpviz.runs.predictions import predictions_of
from nlpviz.training import Options, TrainingError
from nlpviz.training.classifier import classifier_recipe
from nlpviz.training.predictions import predict_run
from nlpviz.training.seeds import train_seed
from tests import toy
from tests.unit.conftest import Printed

CPU = Options(device="cpu")


@pytest.mark.usefixtures("toy_modules", "trained")
def test_another_seed_is_the_training_of_a_recipe_with_that_seed(tmp_path: Path) -> None:
    run, fit = open_run("toy-cnn"), replace(toy.FIT, epochs=1)
    recipe = classifier_recipe("toy-cnn", "Toy cnn", toy.settings("cnn", fit))
    found = train_seed(recipe, 5, run, tmp_path / "aside", CPU)
    again = classifier_recipe("toy-cnn-5", "Toy cnn", toy.settings("cnn", replace(fit, seed=5)))
    (tmp_path / "toy-cnn-5").mkdir()
    again.make(tmp_path / "toy-cnn-5", CPU)
    other = predict_run(Run.open(tmp_path / "toy-cnn-5"))
    assert found.epoch == other.best_epoch
    assert documents_of(other).ids == documents_of(run).ids
    stored = embeddings_of(other, other.best_epoch)
    np.testing.assert_allclose(found.embeddings, stored, atol=np.ptp(stored) / 250)
    np.testing.assert_array_equal(found.predicted.classes, predictions_of(other).predicted.classes)
    np.testing.assert_allclose(found.predicted.probabilities, predictions_of(other).predicted.probabilities, atol=1e-4)
    with pytest.raises(TrainingError, match="is the seed of the run toy-cnn itself"):
        train_seed(recipe, run.seed, run, tmp_path / "none", CPU)
    with pytest.raises(TrainingError, match="below 0"):
        train_seed(recipe, -1, run, tmp_path / "none", CPU)
    with pytest.raises(TrainingError, match="does not train a classifier"):
        train_seed(toy.baseline(), 5, run, tmp_path / "none", CPU)


@pytest.mark.ci
@pytest.mark.usefixtures("toy_modules", "trained")
def test_the_command_keeps_vectors_and_answers_and_no_weights(printed: Printed) -> None:
    assert "no other seeds stored" in printed("seeds", "toy-cnn")
    before = set(open_run("toy-cnn").files)
    facts = printed.json("seeds", "toy-cnn", "--seed", "7", "--seed", "5", "--epochs", "1")
    run = open_run("toy-cnn")
    assert set(run.files) - before == {SEEDS}
    assert [one["seed"] for one in facts["seeds"]] == [5, 7]
    first, second = more_seeds(run)
    assert first.embeddings.shape == second.embeddings.shape == (60, embeddings_of(run, run.best_epoch).shape[1])
    right = first.predicted.classes == predictions_of(run).labels
    assert facts["seeds"][0]["accuracy"] == right.mean()
    assert not list((run.folder.parent / ".unfinished").glob("*of-seed*"))
    assert "seed 7" in printed("seeds", "toy-cnn")
    assert "`seeds` does not apply to it" in printed.refused("seeds", "toy-ngrams")


@pytest.mark.usefixtures("trained")
def test_what_is_kept_is_read_as_it_was_or_refused() -> None:
    import pyarrow.parquet as pq

    run = open_run("toy-cnn")
    assert more_seeds(run) == ()
    said = predictions_of(run).predicted
    rows = np.random.default_rng(0).normal(size=(60, 9)).astype(np.float32)
    one = SeedAnswers(3, 2, 0.5, 1.5, "cpu: 1 thread", rows, said)
    kept = more_seeds(write_seeds(run, [one]))[0]
    assert (kept.seed, kept.epoch, kept.validation_accuracy, kept.seconds) == (3, 2, 0.5, 1.5)
    np.testing.assert_allclose(kept.embeddings, rows, atol=np.ptp(rows) / 250)
    np.testing.assert_array_equal(kept.predicted.classes, said.classes)
    np.testing.assert_allclose(kept.predicted.probabilities, said.probabilities, atol=1 / 120)
    with pytest.raises(ValueError, match="different test documents"):
        write_seeds(run, [replace(one, embeddings=rows[:-1])])
    path = run.folder / SEEDS
    table = pq.read_table(path)
    pq.write_table(table.slice(0, 80), path)
    with pytest.raises(RunError, match="different test documents"):
        more_seeds(open_run("toy-cnn").save())
    pq.write_table(table.replace_schema_metadata({"nlpviz": "{}"}), path)
    with pytest.raises(RunError, match="is damaged or incomplete"):
        more_seeds(open_run("toy-cnn").save())
