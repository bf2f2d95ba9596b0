"""What committed classifiers keep of the test of deletion: of the right reviews, and the same when measured again."""

from __future__ import annotations

import numpy as np
import pytest

from nlpviz.analysis.attribution import explain, methods_for, ranking
from nlpviz.analysis.attribution.deletion import ORDERS, deletion_curves
from nlpviz.data import corpus_named
from nlpviz.results.deletion import MARGIN, DeletionSurvey
from nlpviz.runs import Run, list_runs
from nlpviz.runs.deletions import DELETION, deletion_survey
from nlpviz.runs.documents import documents_of
from nlpviz.ui.documents import picked
from tests.promises import for_each
from tests.trained.again import again

SURVEYED = [run for run in list_runs()[0].values() if run.kind == "classifier" and DELETION in run.files]
"""A run may be younger than its surveys."""
AGAIN = 6  # reviews that are measured again


def survey_of(run: Run) -> DeletionSurvey:
    """Return what it keeps."""
    result = deletion_survey(run)
    assert result is not None
    return result


@for_each(SURVEYED)
def test_three_hundred_texts_as_many_of_each_label(run: Run) -> None:
    survey = survey_of(run)
    labels = dict(zip(documents_of(run).ids, documents_of(run).labels.tolist(), strict=True))
    assert len(survey.ids) == len(set(survey.ids)) == 300
    each = 300 // len(run.class_names)
    assert np.bincount([labels[name] for name in survey.ids]).tolist() == [each] * len(run.class_names)
    assert (survey.epoch, survey.orders) == (run.best_epoch, ORDERS)
    assert set(survey.methods) == {name for name, method in methods_for(run).items() if method.surveyed}
    assert (survey.tokens <= run.max_length).all()


def test_all_runs_on_a_corpus_were_asked_the_same_texts() -> None:
    asked = {(run.corpus["name"], survey_of(run).ids) for run in SURVEYED}
    assert len(asked) == len({run.corpus["name"] for run in SURVEYED})


@for_each(SURVEYED)
def test_a_page_begins_with_a_method_that_beats_random_orders(run: Run) -> None:
    survey = survey_of(run)
    assert ranking.default(run) == survey.best_first[0]
    assert survey.gained(ranking.default(run)).low > 0


@for_each(SURVEYED)
def test_what_colours_a_review_of_the_map_is_among_the_best(run: Run) -> None:
    """Integrated gradients, for which many gradients are needed, may be better."""
    assert picked._METHOD in survey_of(run).best_first[:2]


@again(SURVEYED)
@pytest.mark.usefixtures("imdb_archive", "newsgroups_archive")
def test_the_same_comes_out_again(run: Run) -> None:
    """To rounding: orders about as good as a method's, or a margin apart from it, may fall on its other side."""
    trained, survey = run.load(), survey_of(run)
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
