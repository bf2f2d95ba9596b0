"""What a survey keeps of a run's units is what was found, in few bytes, and without texts."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from nlpviz.analysis.inspection.features import features, features_of
from nlpviz.analysis.inspection.units import extremes, read_courses, search
from nlpviz.analysis.inspection.units_ablation import Held, predicted_with
from nlpviz.analysis.inspection.units_sample import encode_sample
from nlpviz.analysis.inspection.units_survey import _held
from nlpviz.results.states import HIDDEN_STATE
from nlpviz.results.units import CELL_STATE, Unit, UnitSearch
from nlpviz.run_kinds.classifier_survey import surveyed_files
from nlpviz.runs import Run, RunError, list_runs
from nlpviz.runs.seeds import of_another_seed
from nlpviz.runs.units import UNITS, unit_survey, word_weights
from tests import toy

ARCHITECTURES = ("recurrent-network", "tcn")


@pytest.fixture
def surveyed(
    toy_surveyed: Callable[[str], Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> Run:
    """A toy run whose units were searched."""
    folder = tmp_path / f"toy-{request.param}"
    shutil.copytree(toy_surveyed(request.param), folder)
    monkeypatch.setenv("NLPVIZ_TRAINED", str(tmp_path))
    return Run.open(folder)


@pytest.mark.parametrize("surveyed", ARCHITECTURES, indirect=True)
def test_what_is_read_is_what_was_found(surveyed: Run) -> None:
    assert UNITS in surveyed_files(surveyed)
    texts = toy.read("test")
    for epoch in surveyed.epochs:
        kept = unit_survey(surveyed, epoch)
        assert list(kept.searches) == list(features_of(surveyed.tokenizer))
        trained = surveyed.load(epoch)
        first = kept.searches["position"]
        documents = [(name, text) for name, text in zip(texts.ids, texts.texts, strict=True)]
        assert first.documents == 60  # what the run keeps
        from nlpviz.runs.documents import documents_of

        sample = encode_sample(trained, [one for one in documents if one[0] in documents_of(surveyed).ids])
        courses = read_courses(trained, sample)
        again = search(courses, features()["position"], {})
        assert first.units == again.units
        assert (first.words, first.documents, first.redraws) == (again.words, again.documents, again.redraws)
        np.testing.assert_allclose(first.r, again.r, atol=1e-5)
        np.testing.assert_allclose(first.threshold, again.threshold, atol=1e-5)
        np.testing.assert_allclose(first.low, again.low, atol=1e-5)
        np.testing.assert_allclose(first.bins[first.units[first.best].id].unit, _bins(again), atol=1e-5)
        if epoch == surveyed.best_epoch:
            unit = first.units[first.best]
            own = extremes(courses.values[:, first.best], sample)
            assert [one[:2] for one in kept.largest[unit.id]] == [one[:2] for one in own]


def _bins(found: object) -> np.ndarray:
    return found.bins[found.units[found.best].id].unit  # type: ignore[attr-defined]


@pytest.mark.parametrize("surveyed", ["recurrent-network"], indirect=True)
def test_ablations_are_of_the_best_epoch(surveyed: Run) -> None:
    kept, trained = unit_survey(surveyed, surveyed.best_epoch), surveyed.load()
    assert len(kept.random) == 10
    assert not unit_survey(surveyed, 0).ablations
    from nlpviz.runs.documents import documents_of

    documents = documents_of(surveyed)
    encoded = [trained.encode(toy.find(name)) for name in documents.ids]
    assert kept.documents == len(encoded)
    one = next(iter(kept.ablations.values()))
    right = predicted_with(trained, encoded, Held(one.unit.number, one.held_at)) == documents.labels
    assert one.accuracy == pytest.approx(right.mean())
    assert one.change.difference == pytest.approx(right.mean() - kept.accuracy)


def test_held_are_the_best_outputs_those_read_most_and_ten_others() -> None:
    outputs = [Unit(HIDDEN_STATE, 1, number, 2) for number in range(20)]
    units = (Unit(HIDDEN_STATE, 0, 7, 2), Unit(CELL_STATE, 1, 3, 2), *outputs)
    r = np.linspace(1, 0.1, 22).astype(np.float32)
    best = UnitSearch("toy", 1, "one", units, r, r, r, 0.3, 0.3, 0.01, 900, 9, 300, 0.1, ever=True, bins={})
    never = replace(best, feature="other", r=r[::-1].copy(), ever=False)
    found = _held(units, {"one": best, "other": never}, [outputs[2], outputs[15]])
    chosen = [outputs[number] for number in (3, 0, 1, 2, 15)]
    assert found[:5] == [(unit, False) for unit in chosen], "the first layer is no output, a cell state is its unit's"
    drawn = [unit for unit, _ in found[5:]]
    assert all(random for _, random in found[5:])
    assert len(set(drawn)) == len(drawn) == 10
    assert set(drawn) <= set(outputs) - set(chosen)


@pytest.mark.parametrize("surveyed", ["tcn"], indirect=True)
def test_what_is_not_taken_step_by_step_has_no_ablation(surveyed: Run) -> None:
    kept = unit_survey(surveyed, surveyed.best_epoch)
    assert not kept.ablations
    assert np.isnan(kept.accuracy)


@pytest.mark.parametrize("surveyed", ["recurrent-network"], indirect=True)
def test_no_more_than_five_words_stand_together(surveyed: Run) -> None:
    ngrams = [said.ngram for places in unit_survey(surveyed, surveyed.best_epoch).largest.values() for said in places]
    assert ngrams
    assert max(len(ngram.split()) for ngram in ngrams) <= 5


def test_a_run_that_was_not_surveyed_says_how(toy_classifiers: Callable[[str], Path]) -> None:
    run = Run.open(toy_classifiers("recurrent-network"))
    with pytest.raises(RunError, match="python -m nlpviz survey toy-recurrent-network"):
        unit_survey(run, run.best_epoch)


@pytest.mark.parametrize("surveyed", ["recurrent-network"], indirect=True)
def test_another_seed_is_another_run_of_the_same_network(surveyed: Run, tmp_path: Path) -> None:
    assert of_another_seed(surveyed, list_runs()[0].values()) is None
    folder = tmp_path / "toy-again"
    shutil.copytree(surveyed.folder, folder)
    replace(surveyed, folder=folder, seed=surveyed.seed + 1).write()
    found = of_another_seed(surveyed, list_runs()[0].values())
    assert found is not None
    assert found.name == "toy-again"
    with pytest.raises(RunError, match="has no stored epoch 99"):
        unit_survey(surveyed, 99)


@pytest.mark.parametrize("surveyed", ["recurrent-network"], indirect=True)
def test_words_weigh_what_training_texts_say(surveyed: Run) -> None:
    weights = word_weights(surveyed)
    texts, positive = toy.read("train").texts, toy.read("train").labels == 1
    for word in (*toy.PLANTED, "film"):
        own, others = (sum(word in text.split() for text in np.array(texts)[side]) for side in (positive, ~positive))
        ratio = np.log((own + 1) / (positive.sum() + 2)) - np.log((others + 1) / ((~positive).sum() + 2))
        assert weights.get(word, 0) == pytest.approx(ratio, abs=0.006)
    assert weights["splendid"] > 3 > -3 > weights["dreadful"]
    assert abs(weights.get("film", 0)) < 1


def test_a_run_that_was_not_surveyed_has_no_weights(toy_classifiers: Callable[[str], Path]) -> None:
    assert word_weights(Run.open(toy_classifiers("recurrent-network"))) == {}
