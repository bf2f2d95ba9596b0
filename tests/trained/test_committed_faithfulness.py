"""What committed surveys of faithfulness keep: the same 300 documents of every run; measured again, the same."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from nlpviz.attribution import methods_for
from nlpviz.attribution.baselines import baselines
from nlpviz.attribution.faithfulness_survey import survey_faithfulness
from nlpviz.results.faithfulness_survey import FaithfulnessSurvey
from nlpviz.runs import Run, list_runs
from nlpviz.runs.faithfulness import FAITHFULNESS, faithfulness_survey

SURVEYED = {name: run for name, run in list_runs()[0].items() if FAITHFULNESS in run.files}
LARGEST = 60_000  # bytes
AGAIN = 2  # documents


@pytest.fixture(params=list(SURVEYED))
def run(request: pytest.FixtureRequest) -> Run:
    """Each run that was surveyed."""
    return SURVEYED[request.param]


@pytest.fixture
def survey(run: Run) -> FaithfulnessSurvey:
    """What it keeps."""
    result = faithfulness_survey(run)
    assert result is not None
    return result


def test_three_hundred_documents_as_many_of_each_label(run: Run, survey: FaithfulnessSurvey) -> None:
    assert len(survey.ids) == len(set(survey.ids)) == 300
    assert sum(name.startswith("test/pos/") for name in survey.ids) == 150
    assert survey.epoch == run.best_epoch
    able, others = methods_for(run), [one.name for one in baselines(run.corpus["name"])]
    assert survey.orders == tuple(name for name in (*able, *others) if name in survey.orders)
    demanded = {name for name, method in able.items() if method.surveyed} | set(others)
    assert demanded <= set(survey.orders), "a method that came later is not demanded"
    assert run.file(FAITHFULNESS).stat().st_size <= LARGEST
    assert survey.at_stake.mean() > 0.8
    others = [faithfulness_survey(one) for one in SURVEYED.values()]
    assert all(one is not None and one.ids == survey.ids for one in others)


def test_the_same_comes_out_again(run: Run, survey: FaithfulnessSurvey, imdb_archive: Path) -> None:
    assert imdb_archive.exists()
    from nlpviz.data import corpus_named

    shortest = np.argsort(survey.tokens, kind="stable")[:AGAIN].tolist()
    texts = [(survey.ids[place], corpus_named(run.corpus["name"]).find(survey.ids[place])) for place in shortest]
    again = survey_faithfulness(run, texts)
    columns = [again.orders.index(name) for name in survey.orders]  # a method that came later is not in the survey
    for row, place in enumerate(shortest):
        assert again.tokens[row] == survey.tokens[place]
        np.testing.assert_allclose(again.best[row], survey.best[place], atol=1e-3)
        np.testing.assert_allclose(again.comprehensiveness[row, columns], survey.comprehensiveness[place], atol=0.01)
