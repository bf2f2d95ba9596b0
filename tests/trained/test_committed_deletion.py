"""What committed classifiers keep of the test of deletion: of the right reviews, and the same when measured again."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from nlpviz.attribution import explain, methods_for, ranking
from nlpviz.attribution.deletion import ORDERS, deletion_curves
from nlpviz.results.deletion import MARGIN, DeletionSurvey
from nlpviz.runs import Run, list_runs
from nlpviz.runs.deletions import deletion_survey
from nlpviz.runs.documents import documents_of
from nlpviz.ui.documents import picked

CLASSIFIERS = {name: run for name, run in list_runs()[0].items() if run.kind == "classifier"}
AGAIN = 6  # reviews that are measured again


@pytest.fixture(params=list(CLASSIFIERS))
def run(request: pytest.FixtureRequest) -> Run:
    """Each committed classifier."""
    return CLASSIFIERS[request.param]


@pytest.fixture
def survey(run: Run) -> DeletionSurvey:
    """What it keeps."""
    result = deletion_survey(run)
    assert result is not None
    return result


def test_three_hundred_texts_as_many_of_each_label(run: Run, survey: DeletionSurvey) -> None:
    labels = dict(zip(documents_of(run).ids, documents_of(run).labels.tolist(), strict=True))
    assert len(survey.ids) == len(set(survey.ids)) == 300
    each = 300 // len(run.class_names)
    assert np.bincount([labels[name] for name in survey.ids]).tolist() == [each] * len(run.class_names)
    assert (survey.epoch, survey.orders) == (run.best_epoch, ORDERS)
    assert set(survey.methods) == {name for name, method in methods_for(run).items() if method.surveyed}
    assert (survey.tokens <= run.max_length).all()


def test_all_runs_on_a_corpus_were_asked_the_same_texts(run: Run, survey: DeletionSurvey) -> None:
    beside = [one for one in CLASSIFIERS.values() if one.corpus["name"] == run.corpus["name"]]
    surveys = [deletion_survey(one) for one in beside]
    assert all(one is not None and one.ids == survey.ids for one in surveys)


def test_a_page_begins_with_a_method_that_beats_random_orders(run: Run, survey: DeletionSurvey) -> None:
    assert ranking.default(run) == survey.best_first[0]
    assert survey.gained(ranking.default(run)).low > 0


def test_what_colours_a_review_of_the_map_is_among_the_best(survey: DeletionSurvey) -> None:
    """Integrated gradients, for which many gradients are needed, may be better."""
    assert picked._METHOD in survey.best_first[:2]


def test_the_same_comes_out_again(run: Run, survey: DeletionSurvey, imdb_archive: Path) -> None:
    """To rounding: orders about as good as a method's, or a margin apart from it, may fall on its other side."""
    assert imdb_archive.exists()
    from nlpviz.data import corpus_named

    trained = run.load()
    shortest = np.argsort(survey.tokens, kind="stable")[:AGAIN].tolist()
    for position in shortest:
        text = corpus_named(run.corpus["name"]).find(survey.ids[position])
        curves = deletion_curves(trained, [explain(trained, text, method) for method in survey.methods])
        assert curves[0].tokens == survey.tokens[position]
        assert curves[0].random_aopc.mean() == pytest.approx(survey.random[position], abs=MARGIN)
        for column, curve in enumerate(curves):
            assert curve.aopc == pytest.approx(survey.aopc[position, column], abs=0.01)
            near = np.abs(curve.aopc - curve.random_aopc - MARGIN) < 0.01
            assert abs(curve.better - survey.better[position, column]) <= near.sum()
