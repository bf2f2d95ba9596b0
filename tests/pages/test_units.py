"""The view Units says which units follow a feature, whether that beats chance, and what there is to be said else."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from nlpviz.analysis.inspection.features import features_of
from nlpviz.figures.numbers import number
from nlpviz.runs import Run, open_run
from nlpviz.runs.units import UNITS, unit_survey
from nlpviz.text.tokenizers import REVIEWS, TOKENIZERS
from tests import toy
from tests.made import made_once
from tests.pages.conftest import Page, faults, figure, numbers, said

RUN, AGAIN = "toy-recurrent-network", "toy-recurrent-network-seed-1"
PAGE = {"name": "Recurrent networks", "view": "units", "run": RUN}
ODD = {
    "empty": "",
    "one token": "splendid",
    "unknown words": "qqzzx wvvbt kkq",
    "5,000 words": "the splendid film , " * 1250,
    "markup": "<script>alert(1)</script><img src=x onerror=alert(1)><b>bold</b> & **stars** $x$ {brace}",
    "right to left": "פילם נהדר، فيلم رائع",
}


@pytest.fixture(scope="module")
def runs(
    tmp_path_factory: pytest.TempPathFactory,
    toy_classifiers: Callable[[str], Path],
    toy_surveyed: Callable[[str], Path],
) -> Path:
    """A toy run whose units were searched, one of another seed, and one that was not surveyed."""

    def make(folder: Path) -> None:
        shutil.copytree(toy_surveyed("recurrent-network"), folder / RUN)
        shutil.copytree(toy_classifiers("tcn"), folder / "toy-tcn")
        run = Run.open(folder / RUN)
        shutil.copytree(folder / RUN, folder / AGAIN)
        replace(run, folder=folder / AGAIN, name=AGAIN, title="Another seed", seed=run.seed + 1).write()

    return made_once(tmp_path_factory, "units-pages", make)


@pytest.fixture
def units_page(page: Page, monkeypatch: pytest.MonkeyPatch, runs: Path) -> Page:
    """Return what runs a page where these are all the runs, on a machine without corpora."""
    monkeypatch.setenv("NLPVIZ_TRAINED", str(runs))
    return page


def html(app: AppTest) -> str:
    return "".join(str(element.proto.body) for element in app.get("html"))


@pytest.mark.parametrize("feature", ["position", "sentence-end", "sentiment"])
def test_the_answer_has_the_numbers_of_the_search(units_page: Page, feature: str) -> None:
    app = units_page(**PAGE, feature=feature)
    assert not app.exception
    run = open_run(RUN)
    found = unit_survey(run, run.best_epoch).searches[feature]
    best = found.best
    text = said(app)
    reached = number(float(found.r[best]))
    assert (f"Unit {found.units[best].id} tracks" in text) is found.follows(best)
    assert (f"r = **{reached}**, above chance." in text) is found.follows(best)
    assert (f"best r = **{reached}**, not above chance." in text) is not found.follows(best)
    assert f"{found.words:,} words of {found.documents} test reviews: **{found.followers}** of" in text
    assert f"chance threshold ({found.threshold:.3f})" in text
    table = next(one.value for one in app.table if "Best unit" in one.value["Measure"].tolist())
    assert table["Value"].tolist()[-1] == reached
    assert open_run(AGAIN).title in table["Measure"].tolist()[-1].replace("\\", "")
    drawn = figure(app)["figure"]["data"]
    assert numbers(drawn[0]["x"])[0] == pytest.approx(abs(found.r[best]), abs=1e-4)
    assert numbers(drawn[1]["x"]) == pytest.approx([found.threshold] * 2, abs=1e-4)


def test_a_feature_that_never_occurs(units_page: Page) -> None:
    app = units_page(**PAGE, feature="quotes")
    assert not app.exception
    assert "so no unit can track it" in said(app)


def test_a_typed_list_needs_the_corpus(units_page: Page) -> None:
    app = units_page(**PAGE, feature="words", words="asked, here, alone")  # what was searched for before is kept
    assert not app.exception
    assert "not on this machine" in said(app) or "no corpus" in said(app)


def test_a_list_without_a_word(units_page: Page) -> None:
    app = units_page(**PAGE, feature="words", words=" , ,")
    assert not app.exception
    assert "The word list is empty" in said(app)


@pytest.fixture
def toy_corpus(tmp_path: Path) -> Iterator[None]:
    """The toy corpus, while the test runs."""
    with toy.discovered(tmp_path / "modules"):
        yield


def test_a_typed_list_is_looked_for_in_test_reviews(
    units_page: Page,
    toy_corpus: None,  # noqa: ARG001
) -> None:
    app = units_page(**PAGE, feature="words", words="splendid, dreadful")
    assert not app.exception
    assert "word list: splendid, dreadful" in said(app)
    app.button(key="every_epoch").click().run()
    assert not app.exception
    assert "Before training, the best unit reaches" in said(app)
    trace = units_page(**PAGE, feature="trace", words="<b>splendid</b>")
    assert not trace.exception
    assert "trace of the word list: splendid" in said(trace)


def test_another_unit_by_link_and_one_that_is_not_there(units_page: Page) -> None:
    run = open_run(RUN)
    found = unit_survey(run, run.best_epoch).searches["position"]
    other = found.units[found.ranked()[3]].id
    app = units_page(**PAGE, feature="position", unit=other)
    assert f"Unit {other} in the text" in [one.value for one in app.header]
    app = units_page(**PAGE, feature="position", unit="h999")
    assert not app.exception
    assert "sets unit to h999, which does not exist" in said(app)
    last = found.units[found.ranked(len(found.units))[-1]].id
    app = units_page(**PAGE, feature="position", unit=last)
    assert not app.exception
    assert "Means are stored only for the 24 highest-ranked units" in said(app)


def test_epochs_and_runs_side_by_side(units_page: Page) -> None:
    app = units_page(**PAGE, feature="position", epoch=["0", "3"], beside=AGAIN)
    assert not app.exception
    bars = [trace for trace in figure(app)["figure"]["data"] if trace["type"] == "bar"]
    assert len(bars) == 4


def test_the_untrained_network_alone(units_page: Page) -> None:
    held = next(iter(unit_survey(open_run(RUN), 3).ablations))
    app = units_page(**PAGE, feature="position", epoch="0", unit=held)
    assert not app.exception
    assert "Epoch 0, *position in the text*" in said(app)
    assert "Units were ablated only at epoch" in said(app)


def test_what_was_not_surveyed_says_how(units_page: Page) -> None:
    app = units_page("Recurrent networks", view="units", run="toy-tcn")
    assert not app.exception
    assert UNITS not in open_run("toy-tcn").files
    assert "python -m nlpviz survey toy-tcn" in said(app)


@pytest.mark.ci
def test_odd_texts(units_page: Page) -> None:
    app = units_page(**PAGE, feature="position")
    for name, text in ODD.items():
        app.text_area[0].set_value(text).run()
        assert not faults(app), name
        assert ("No words were read" in said(app)) is (not text), name
        assert ("&lt;b&gt;" in html(app)) is (name == "markup"), name


def test_every_feature_is_offered(units_page: Page) -> None:
    app = units_page(**PAGE)
    assert set(app.selectbox(key="feature").options) >= {one.title for one in features_of(TOKENIZERS[REVIEWS]).values()}
