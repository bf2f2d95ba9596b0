"""The view of methods over many documents says what the kept surveys say, of each run and each measure."""

from __future__ import annotations

import numpy as np
import pytest

from nlpviz.results.faithfulness_survey import BASELINES, FaithfulnessSurvey, told_apart
from nlpviz.runs import list_runs
from nlpviz.runs.faithfulness import faithfulness_survey
from nlpviz.ui.attribution import believed
from tests.pages.conftest import Page, figure, numbers, said

PAGE = {"name": "Inside the model", "view": "methods"}
RUN = "imdb-cnn"


@pytest.fixture(scope="module")
def surveys() -> dict[str, FaithfulnessSurvey]:
    found = {run.name: faithfulness_survey(run) for run in list_runs()[0].values() if run.corpus.get("name") == "imdb"}
    return {name: one for name, one in found.items() if one is not None}


@pytest.mark.parametrize("measure", ["comprehensiveness", "within fifths", "wins"])
def test_cells_are_those_of_the_surveys(page: Page, surveys: dict[str, FaithfulnessSurvey], measure: str) -> None:
    app = page(**PAGE, run=RUN, measure=measure)
    assert not app.exception
    columns = {column["heading"]: column["column"] for column in figure(app)["table"]}
    shown = list(zip(columns["run"], columns["order"], numbers(columns["mean"]), strict=True))
    assert {run for run, _, _ in shown} == set(surveys)
    heads = " ".join(figure(app)["figure"]["layout"]["xaxis"]["ticktext"])
    assert "imdb-" not in heads, "people read titles"
    for run, order, mean in shown:
        if order != "random":
            assert mean == pytest.approx(surveys[run].cell(order, measure)[0].mean, abs=1e-4)
    shares = numbers(figure(app, 1)["figure"]["data"][0]["z"]).reshape(-1, 5)
    np.testing.assert_allclose(shares.sum(axis=1), 1, atol=0.01)


def test_the_sentence_says_which_methods_are_right_more_often_than_a_random_order(
    page: Page, surveys: dict[str, FaithfulnessSurvey]
) -> None:
    words = said(page(**PAGE, run=RUN)).replace("\\", "")
    own = [sign for (_, order), sign in told_apart(list(surveys.values())).items() if order not in BASELINES]
    if all(sign == 1 for sign in own):
        assert "Every method significantly beats random orders" in words
    else:
        assert f"In {sum(sign == 1 for sign in own)} of {len(own)} method–network pairs" in words
    survey = surveys[RUN]
    stake = int(survey.at_stake.sum())
    assert f"The table shows the mean over {stake} texts" in words or stake == 0


def test_where_no_method_is_told_apart_the_page_says_so(monkeypatch: pytest.MonkeyPatch, page: Page) -> None:
    monkeypatch.setattr(
        believed, "told_apart", lambda found: {(one.run, name): 0 for one in found for name in one.orders}
    )
    assert "No method significantly beats random orders" in said(page(**PAGE, run=RUN))
