"""What a classifier predicts for every test document is read back as it was, and is what the manifest says."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from sklearn.metrics import accuracy_score

from nlpviz.data.columns import LabelledTexts
from nlpviz.results.predictions import Predicted
from nlpviz.runs import Run, RunError, open_run
from nlpviz.runs.predictions import RATINGS_MASKED, masked_predictions, predictions_of, write_predictions
from nlpviz.stats.significance import compare_counts
from nlpviz.training import predictions as asking
from nlpviz.training.baseline import fit
from nlpviz.training.predictions import Rated, predict_run
from nlpviz.training.texts import encoded
from tests import toy

pytestmark = pytest.mark.usefixtures("trained")


@pytest.fixture
def run() -> Run:
    """The toy network's run."""
    return open_run("toy-cnn")


@pytest.mark.parametrize("name", ["toy-cnn", "toy-ngrams"])
def test_predictions_are_of_the_whole_test_split_and_as_accurate_as_the_manifest_says(name: str) -> None:
    run, test = open_run(name), toy.read("test")
    stored = predictions_of(run)
    assert stored.ids == tuple(test.ids)
    np.testing.assert_array_equal(stored.labels, test.labels)
    assert stored.right.mean() == pytest.approx(run.metrics["test"]["accuracy"], abs=1e-9)
    assert accuracy_score(test.labels, stored.predicted.classes) == stored.right.mean()


def test_every_kept_epoch_answers_as_its_network_does(run: Run) -> None:
    rows = encoded(run.vocabulary, toy.read("test").texts)
    for epoch in run.epochs:
        expected = asking.probabilities(run.load(epoch), rows)
        found = predictions_of(run, epoch).predicted
        np.testing.assert_array_equal(found.classes, expected.argmax(axis=1))
        np.testing.assert_allclose(found.of_last(2), expected[:, 1], atol=1e-5)
    with pytest.raises(RunError, match="has no stored epoch 9"):
        predictions_of(run, 9)


def test_many_classes_are_kept_and_read_back(run: Run) -> None:
    rng = np.random.default_rng(0)
    probabilities = rng.dirichlet(np.full(150, 0.05), size=40)
    predicted, labels = Predicted.of(probabilities), rng.integers(150, size=40)
    by_epoch = dict.fromkeys(run.epochs, predicted)
    write_predictions(run.folder, [str(n) for n in range(40)], labels, by_epoch, predicted, np.zeros(40, dtype=int))
    stored = predictions_of(run.save())
    np.testing.assert_array_equal(stored.predicted.classes, probabilities.argmax(axis=1))
    np.testing.assert_array_equal(stored.labels, labels)
    np.testing.assert_allclose(stored.predicted.probabilities, probabilities.max(axis=1), atol=1e-5)
    with pytest.raises(ValueError, match="with 150 classes"):
        stored.predicted.of_last(150)


def test_a_run_that_nobody_asked_says_how_to(run: Run) -> None:
    (run.folder / "predictions.parquet").unlink()
    with pytest.raises(RunError, match="Run `python -m nlpviz survey toy-cnn`"):
        masked_predictions(run.save())


class TestRatings:
    """The toy texts with ratings planted in them: one word decides, and the rating is unknown to the network."""

    @pytest.fixture
    def planted(self, monkeypatch: pytest.MonkeyPatch) -> LabelledTexts:
        """The test texts; every third one states a rating in place of the word that decides: a number it knows."""
        plain = toy.read("test")
        texts = [f"{text} 7/10" if n % 3 == 0 else text for n, text in enumerate(plain.texts)]
        texts = replace(plain, texts=texts)
        monkeypatch.setattr(asking, "labelled_texts", lambda *_: texts)
        monkeypatch.setattr(asking, "corpus_named", lambda _: toy.CORPUS)
        return texts

    def test_only_texts_with_a_rating_are_asked_again(self, run: Run, planted: LabelledTexts) -> None:
        run = predict_run(run)
        stored = masked_predictions(run)
        assert (stored.rated > 0).tolist() == [n % 3 == 0 for n in range(len(planted))]
        plain = stored.rated == 0
        np.testing.assert_array_equal(stored.masked.classes[plain], stored.plain.predicted.classes[plain])
        metrics = run.metrics[RATINGS_MASKED]
        assert metrics["rated"] == 30
        assert metrics["accuracy"] == pytest.approx(stored.right.mean())
        assert metrics["lost"] == (stored.plain.right & ~stored.right).sum()
        assert metrics["gained"] == (stored.right & ~stored.plain.right).sum()
        assert f"{metrics['accuracy']:.2%}" in (run.folder / "README.md").read_text()
        card = (run.folder / "README.md").read_text()
        assert "30 test texts state a rating" in card
        apart = compare_counts(int(metrics["gained"]), int(metrics["lost"]), 90).significant
        assert ("the difference is significant" in card) == apart
        assert ("the difference is not significant" in card) == (not apart)

    def test_a_rating_beyond_what_is_read_is_none(self) -> None:
        rated = Rated.of(["a b c 7/10", "7/10 a b", "a"], 3)
        assert rated.tokens.tolist() == [0, 1, 0]
        assert rated.masked == ["█ a b"]
        assert Rated.of(["a b c 7/10"], 0).tokens.tolist() == [1]

    def test_a_baseline_that_learnt_ratings_alone_is_lost_without_them(self) -> None:
        labels = np.arange(40) % 2
        texts = [f"film {'9/10' if label else '2/10'}" for label in labels]
        fitted = fit(texts, labels, toy.baseline().settings)
        assert (fitted.probabilities(texts).argmax(axis=1) == labels).all()
        hidden = fitted.probabilities(Rated.of(texts, 0).masked)
        assert np.ptp(hidden, axis=0).max() == 0, "what is left of the texts is the same"
