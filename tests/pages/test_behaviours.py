"""The view of minimal pairs: its figure holds what was asked, it says what intervals tell, own pairs are read."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from nlpviz.data.battery import NOT_GOOD, battery
from nlpviz.results.behaviours import Rate, emerged, passes, rates
from nlpviz.run_kinds.behaviours import probe
from nlpviz.runs import open_run
from tests.pages.conftest import Page, figure, numbers, said

PAGE = {"name": "Inside the model", "view": "behaviours"}
OWN = "first,second,expected,capability\nThe film is good.,The film is bad.,lower,my secret\nGood,,lower,x\n"


def own(page: Page, folder: Path, text: str, **address: str | list[str]) -> AppTest:
    (folder / "own.csv").write_text(text, encoding="utf-8")
    return page(**PAGE, **address).text_input(key="behaviours_path").set_value(str(folder / "own.csv")).run()


def test_lines_are_what_runs_make_of_the_battery(page: Page) -> None:
    app = page(**PAGE, run="imdb-lstm", beside="imdb-ngrams")
    assert not app.exception
    run = open_run("imdb-lstm")
    by_epoch = [rates(battery(), probe(run, epoch, battery())) for epoch in run.epochs]
    drawn = {
        trace["customdata"][0]: trace
        for trace in figure(app)["figure"]["data"]
        if trace["name"] == run.title and "customdata" in trace
    }
    assert set(drawn) == set(by_epoch[0])
    for name, trace in drawn.items():
        assert numbers(trace["x"]).tolist() == list(run.epochs)
        assert numbers(trace["y"]) == pytest.approx([one[name].share for one in by_epoch])
        ends = [one[name].interval.high - one[name].share for one in by_epoch]
        assert numbers(trace["error_y"]["array"]) == pytest.approx(ends)


@pytest.mark.parametrize("name", ["imdb-skip", pytest.param("imdb-cnn", marks=pytest.mark.ci)])
def test_the_answer_goes_by_the_interval(page: Page, name: str) -> None:
    run, pairs = open_run(name), [pair for pair in battery() if pair.template in NOT_GOOD]
    counts = {epoch: passes(pairs, probe(run, epoch, pairs).positive) for epoch in run.epochs}
    since = emerged({epoch: Rate(int(right.sum()), len(right)) for epoch, right in counts.items()})
    words = said(page(**PAGE, run=name, beside="imdb-ngrams"))
    assert (since is None) == (name == "imdb-cnn")
    assert f"{counts[run.epochs[-1]].sum()} of 48 pairs of “good” and “not good” pass" in words
    assert (
        "is significantly below 50%." if since is None else f"is significantly above 50%, from epoch {since} onwards."
    ) in words


def test_a_capability_opens_its_pairs_the_worst_failures_first(page: Page) -> None:
    app = page(**PAGE, run="imdb-cnn", beside="imdb-ngrams", capability="names", epoch="0")
    assert "CNN on IMDB, epoch 0: 0 of 72 pairs fail" in said(app)
    table = page(**PAGE, run="imdb-cnn", beside="imdb-ngrams", capability="irony").dataframe[1].value
    verdicts = table.iloc[:, 0].tolist()
    assert set(verdicts) == {"fails", "passes"}
    assert verdicts == sorted(verdicts)
    assert len(table) == 114


def test_a_run_without_epochs_is_asked(page: Page) -> None:
    app = page(**PAGE, run="imdb-ngrams", beside="imdb-cnn")
    assert not app.exception
    assert "N-grams on IMDB: 8 of 48 pairs of “good” and “not good” pass" in said(app)
    assert "is significantly below 50%. Both" in said(app)


def test_own_pairs_are_used_and_bad_rows_named(page: Page, tmp_path: Path) -> None:
    app = own(page, tmp_path, OWN, run="imdb-cnn")
    assert not app.exception
    words = said(app)
    assert "own.csv: 1 of 2 rows used. Excluded: row 3 has no words in the column 'second'." in words
    assert "CNN on IMDB: 1 of your 1 pairs pass" in words
    assert "is not significantly different from 50%." in words
    assert app.selectbox(key="capability").value == "1"
    assert app.selectbox(key="capability").options == ["my secret"]
    assert "secret" not in str(app.query_params)


@pytest.mark.parametrize("text", ["a,b\n1,2\n", "first,second,expected\ngood,bad,worse\n", ""])
def test_a_file_without_pairs_gets_a_sentence(page: Page, tmp_path: Path, text: str) -> None:
    app = own(page, tmp_path, text)
    assert not app.exception
    assert len(app.error) == 1
    assert "own.csv" in app.error[0].value.replace("\\", "")


def test_a_run_of_other_classes_is_not_offered(page: Page) -> None:
    app = page(**PAGE, run="newsgroups-cnn")
    assert not app.exception
    assert "The link sets run to newsgroups-cnn" in said(app)
