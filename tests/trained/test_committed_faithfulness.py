"""What committed surveys of faithfulness keep: the same 300 documents of every run; measured again, the same."""

from __future__ import annotations

import numpy as np
import pytest

from nlpviz.analysis.attribution import methods_for
from nlpviz.analysis.attribution.baselines import baselines
from nlpviz.analysis.attribution.faithfulness_survey import survey_faithfulness
from nlpviz.data import corpus_named
from nlpviz.results.faithfulness_survey import FaithfulnessSurvey
from nlpviz.runs import Run, list_runs
from nlpviz.runs.faithfulness import FAITHFULNESS, faithfulness_survey
from tests.promises import for_each
from tests.trained.again import again

SURVEYED = [run for run in list_runs()[0].values() if FAITHFULNESS in run.files]
LARGEST = 60_000  # bytes
AGAIN = 2  # documents


def survey_of(run: Run) -> FaithfulnessSurvey:
    """Return what it keeps."""
    result = faithfulness_survey(run)
    assert result is not None
    return result


@for_each(SURVEYED)
def test_three_hundred_documents_as_many_of_each_label(run: Run) -> None:
    survey = survey_of(run)
    assert len(survey.ids) == len(set(survey.ids)) == 300
    assert sum(name.startswith("test/pos/") for name in survey.ids) == 150
    assert survey.epoch == run.best_epoch
    methods, others = methods_for(run), {one.name for one in baselines(run.corpus["name"])}
    assert len(survey.orders) == len(set(survey.orders))
    assert {name for name, method in methods.items() if method.surveyed} | others <= set(survey.orders)
    assert set(survey.orders) <= methods.keys() | others, "of a new method none need be stored"
    assert run.file(FAITHFULNESS).stat().st_size <= LARGEST
    assert survey.at_stake.mean() > 0.8
    assert survey.ids == survey_of(SURVEYED[0]).ids, "of every run the same"


@again(SURVEYED)
@pytest.mark.usefixtures("imdb_archive")
def test_the_same_comes_out_again(run: Run) -> None:
    survey = survey_of(run)
    shortest = np.argsort(survey.tokens, kind="stable")[:AGAIN].tolist()
    texts = [(survey.ids[place], corpus_named(run.corpus["name"]).find(survey.ids[place])) for place in shortest]
    again = survey_faithfulness(run, texts)
    for row, place in enumerate(shortest):
        assert again.tokens[row] == survey.tokens[place]
        np.testing.assert_allclose(again.best[row], survey.best[place], atol=1e-3)
        np.testing.assert_allclose(again.comprehensiveness[row], survey.comprehensiveness[place], atol=0.01)
