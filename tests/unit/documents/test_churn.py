"""Who disagrees with whom, by hand, and in words that call no two different which differ no more than seeds."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from nlpviz.figures.documents.churn import churn_matrix
from nlpviz.figures.documents.churn_sentences import count_said, epochs_said, networks_said, pair_said, pairs_table
from nlpviz.results.churn import (
    Answering,
    Churn,
    beyond,
    by_likeness,
    cohens_kappa,
    independent_agreement,
    seeds_churn,
)
from nlpviz.results.predictions import Predicted
from nlpviz.results.seeds import SeedAnswers
from nlpviz.results.training_log import Role
from nlpviz.runs import RunError, open_run
from nlpviz.runs.churn import churn_of_epochs, churn_of_networks, seeds_on
from nlpviz.runs.documents import DOCUMENTS, embeddings_of, every_epoch_of
from nlpviz.runs.more_seeds import write_seeds
from nlpviz.runs.predictions import predictions_of
from nlpviz.runs.run import Run
from nlpviz.runs.training_log import TRAINING_LOG, training_log
from tests.unit.conftest import Printed

RNG = np.random.default_rng(2)


def answering(key: str, classes: list[int], recipe: str = "") -> Answering:
    return Answering(key, f"net {key}", recipe or key, np.array(classes), np.full(len(classes), 0.8, dtype=np.float32))


def test_agreement_is_counted_by_hand() -> None:
    found = Churn(
        ("a", "b", "c", "d"),
        np.array([0, 0, 1, 1]),
        ("no", "yes"),
        (answering("x", [0, 0, 1, 1]), answering("y", [0, 1, 1, 1]), answering("z", [0, 1, 1, 0])),
    )
    assert found.accuracies == (1.0, 0.75, 0.5)
    assert {pair: one.agreement for pair, one in found.pairs.items()} == {(0, 1): 0.75, (0, 2): 0.5, (1, 2): 0.75}
    assert found.votes.tolist() == [[3, 0], [1, 2], [0, 3], [1, 2]]
    np.testing.assert_allclose(found.disagreement, [0, 2 / 3, 0, 2 / 3])
    assert found.most.tolist() == [1, 3, 0, 2]
    assert found.pairs[1, 2].independent == 0.75 * 0.5 + 0.25 * 0.5
    assert by_likeness(found) == [0, 1, 2]


def test_kappa_is_that_of_scikit_learn_and_independent_errors_agree_as_said() -> None:
    first, second = RNG.integers(0, 3, 500), RNG.integers(0, 3, 500)
    second[:300] = first[:300]
    assert cohens_kappa(first, second, 3) == pytest.approx(cohen_kappa_score(first, second))
    assert np.isnan(cohens_kappa(np.zeros(5, dtype=int), np.zeros(5, dtype=int), 2))
    labels = RNG.integers(0, 4, 200_000)
    drawn = [
        np.where(RNG.random(len(labels)) < right, labels, (labels + RNG.integers(1, 4, len(labels))) % 4)
        for right in (0.9, 0.6)
    ]
    assert (drawn[0] == drawn[1]).mean() == pytest.approx(independent_agreement(0.9, 0.6, 4), abs=0.005)


def turned(share: float, key: str, recipe: str = "", count: int = 4_000) -> Answering:
    """Return who predicts class 1 of a share of documents, else class 0."""
    classes = np.zeros(count, dtype=int)
    classes[: round(share * count)] = 1
    return answering(key, classes.tolist(), recipe)


@pytest.mark.parametrize(("share", "more"), [(0.04, False), (0.2, True)])
def test_no_two_are_said_to_disagree_more_that_are_within_the_band_of_seeds(share: float, more: bool) -> None:
    count = 4_000
    found = Churn(
        tuple(map(str, range(count))),
        np.zeros(count, dtype=int),
        ("no", "yes"),
        (turned(0, "0", "r"), turned(0.04, "1", "r"), turned(share, "2")),
    )
    band = seeds_churn(found)
    assert band is not None
    assert band.low < 0.04 < band.high
    assert beyond(found.pairs[0, 2], band) is more
    assert beyond(found.pairs[0, 2], None) is None
    sentence, pieces = pair_said(found, (0, 2), band)
    assert ("more than two seeds of the same recipe" in sentence.replace("no more", "NO")) is more
    assert "is unknown" in pair_said(found, (0, 2), None)[0]
    assert "only in their seed" in pair_said(found, (0, 1), band)[0]
    assert (
        pairs_table(found, band)["Compared with two seeds"].count("more than two seeds of the same recipe") == 2 * more
    )
    sentence, pieces = networks_said(found, band)
    assert f"**{0 if more else 2} of 2** pairs of different recipes disagree no more than that" in sentence.format(
        **pieces
    )
    sentence, pieces = networks_said(found, None)
    assert "is unknown" in sentence.format(**pieces)
    for epochs in (False, True):
        sentence, pieces = count_said(found, "review", epochs=epochs)
        assert len(sentence.format(**pieces).split()) <= 15
    steps = replace(found, answering=(turned(0, "1"), turned(share, "2"), turned(share + 0.01, "3")))
    sentence, pieces = epochs_said(steps, band)
    assert sentence.format(**pieces).startswith("After ") is more
    assert "is unknown" in epochs_said(steps, None)[0]
    drawn = churn_matrix(found, [0, 1, 2], "churn", band, "toy")
    assert len(drawn.figure.layout.shapes) == (1 if more else 3)
    by_kappa = churn_matrix(found, [2, 0, 1], "kappa", None, "toy").table
    np.testing.assert_allclose(by_kappa["disagree"], [0.04, share, share - 0.04], atol=1e-9)


@pytest.fixture
def run(trained: Path) -> Run:
    """The toy run with two more seeds, one of which turns every third answer, and with a copy of another name."""
    run = open_run("toy-cnn")
    shutil.copytree(trained / "toy-cnn", trained / "toy-again")
    said = predictions_of(run).predicted
    other = said.classes.copy()
    other[::3] = 1 - other[::3]
    rows = embeddings_of(run, run.best_epoch)
    answers = (said, Predicted(other, said.probabilities))
    return write_seeds(run, [SeedAnswers(5 + at, 1, 0.9, 1.0, "cpu", rows, one) for at, one in enumerate(answers)])


def test_networks_seeds_and_baselines_of_one_corpus_answer(run: Run) -> None:
    others = [open_run("toy-again"), open_run("toy-ngrams"), run]
    found = churn_of_networks(run, others)
    assert [one.key for one in found.answering] == [
        "toy-cnn", "toy-cnn seed 5", "toy-cnn seed 6", "toy-again", "toy-ngrams",
    ]  # fmt: skip
    assert found.of_seeds == [(0, 1), (0, 2), (1, 2)]
    assert found.pairs[0, 2].churn == pytest.approx(1 / 3)
    band = seeds_on(run, others, found.ids[:30])
    assert band is not None
    assert band.low == 0
    assert seeds_on(open_run("toy-again"), [], found.ids) is None, "one seed alone"
    assert seeds_on(run, [], ["none"]) is None


def test_moments_are_those_of_the_log_or_else_of_the_kept_documents(run: Run) -> None:
    found, log = churn_of_epochs(run), training_log(run).of(Role.TEST)
    assert found.ids == log.ids
    assert len(found.answering) == (log.moments > 0).sum()
    for one, right in zip(found.answering, log.right[:, log.moments > 0].T, strict=True):
        np.testing.assert_array_equal(one.classes == found.labels, right)
    (run.folder / TRAINING_LOG).unlink()
    without = churn_of_epochs(run.save())
    assert [one.key for one in without.answering] == [str(epoch) for epoch in every_epoch_of(run) if epoch]
    (run.folder / DOCUMENTS).unlink()
    with pytest.raises(RunError, match="has no logged probabilities per epoch"):
        churn_of_epochs(run.save())


def test_the_command_says_who_disagrees(run: Run, printed: Printed) -> None:
    facts = printed.json("churn", "toy-cnn", "--most", "3")
    assert len(facts["answering"]) == 5
    assert len(facts["pairs"]) == 10
    assert len(facts["most"]) == 3
    assert facts["band"][1] > 1 / 3
    assert "seeds disagree on" in printed("churn", "toy-cnn", "--epochs")
    assert "no pair of seeds" in printed("churn", "toy-again", "--epochs")
    assert "was fitted in one step" in printed.refused("churn", "toy-ngrams", "--epochs")
    assert printed.json("churn", "toy-ngrams")["answering"][0]["key"] == "toy-ngrams"
    assert run.name in printed("churn", "toy-cnn")


def test_all_columns_stand_in_a_window_of_1280_pixels() -> None:
    titles = [
        f"BiGRU with attention on IMDB, {end}" for end in ("trained with gaps", *(f"seed {n}" for n in range(22)))
    ]
    found = Churn(
        ("0", "1"), np.zeros(2, dtype=int), ("no", "yes"),
        tuple(replace(turned(0, f"run-{number}", count=2), title=title) for number, title in enumerate(titles)),
    )  # fmt: skip
    drawn = churn_matrix(found, list(range(23)), "churn", None, "toy").figure
    assert drawn.layout.meta["least_width"] <= 930
    assert drawn.layout.yaxis.ticktext[0] == "BiGRU with attention, trained with gaps  1", "the corpus is all runs' own"
