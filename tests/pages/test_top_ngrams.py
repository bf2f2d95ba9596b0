"""The top n-grams shows what the survey found, and only what is asked for."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from nlpviz.figures.numbers import number
from nlpviz.results.survey import RankedNgram
from nlpviz.runs import Run, open_run, sharing
from nlpviz.runs.surveys import FILTERS, REGIONS, top_ngrams
from tests.pages.conftest import Page, asked_in_vain, faults, figure, numbers, shown

RUN = open_run("imdb-cnn")
ROWS = top_ngrams(RUN, RUN.best_epoch)
PAGE = {"name": "Inside the model"}
FILTER_PAGE = PAGE | {"view": "filters"}
REGION_PAGE = {"name": "One review", "view": "n-grams"}


def bars(app: AppTest) -> dict[str, float]:
    drawn = figure(app)["figure"]["data"][0]
    return dict(zip(drawn["customdata"], numbers(drawn["x"]), strict=True))


def by_id(row: RankedNgram) -> str:
    return f"{row.size} {row.ngram}"


@pytest.mark.parametrize("support", ["3", "30", "100"])
def test_bars_are_the_strongest_ngrams_with_enough_support(page: Page, support: str) -> None:
    drawn = bars(page(**PAGE, support=support, size="3", order="mean"))
    rows = [row for row in ROWS if row.size == 3 and row.support >= int(support)]
    strongest = sorted(rows, key=lambda row: row.contribution)
    for row in (strongest[0], strongest[1], strongest[-1]):
        assert drawn[by_id(row)] == pytest.approx(row.contribution, rel=1e-5)
    assert sum(value < 0 for value in drawn.values()) == sum(value > 0 for value in drawn.values())


def test_ordered_by_sums_at_first(page: Page) -> None:
    drawn = bars(page(**PAGE, size="1"))
    rows = [row for row in ROWS if row.size == 1 and row.support >= 30]
    assert max(drawn.values()) == pytest.approx(max(row.contribution * row.support for row in rows), rel=1e-5)


def test_a_short_list_has_the_strongest_of_the_long_one(page: Page) -> None:
    long, short = bars(page(**PAGE)), bars(page(**PAGE, list="short"))
    assert set(short) < set(long)
    assert [sum(one.startswith(size) for one in short) for size in "123"] == [6, 6, 6]
    assert len(bars(page(**PAGE, list="short", size="1"))) == 20


def test_of_unseen_ngrams_no_number_of_documents_is_asked(page: Page) -> None:
    app = page(**PAGE, training="never", support="100")
    assert "support" not in {box.key for box in app.selectbox}
    assert "support" not in app.query_params
    app.selectbox(key="training").set_value("any").run()
    assert app.selectbox(key="support").value == "30"
    assert not app.exception


def test_unseen_ngrams_never_stood_in_training(page: Page) -> None:
    drawn = bars(page(**PAGE, training="never", size="3"))
    unseen = {by_id(row) for row in ROWS if row.seen == 0}
    assert drawn
    assert set(drawn) <= unseen


def test_the_search_box_finds_whole_words(page: Page) -> None:
    app = page(**PAGE)
    app.text_input[0].set_value("Waste").run()
    result = bars(app)
    assert result
    assert all("waste" in key.split() for key in result)
    assert "waste" not in str(dict(app.query_params)).lower(), "what a visitor types is not in the address"


def test_a_search_in_vain_is_said(page: Page) -> None:
    app = page(**PAGE)
    for words in ("qqzzx", "<script>alert(1)</script>", "**bold** $x$", "a " * 50_000, "👨‍👩‍👧"):
        assert not faults(app.text_input[0].set_value(words).run()), words[:40]
        assert "top n-grams match. Try a lower minimum support" in shown(app), words[:40]


def test_the_answer_in_words(page: Page) -> None:
    row = min((row for row in ROWS if row.size == 3 and row.support >= 30), key=lambda row: row.contribution)
    app = page(**PAGE, ngram=by_id(row), size="3")
    said = shown(app).replace("\\", "")
    moved = f"“{row.ngram}” subtracts {-row.contribution:.2f} from the positive score"
    assert f"{moved} in {row.support} of 25,000 reviews" in said
    assert f"{row.precision:.0%} of them are negative" in said
    strongest = max((one for one in ROWS if one.size == 3 and one.support >= 30), key=lambda one: abs(one.total))
    moves, amount = "raises" if strongest.total > 0 else "lowers", number(strongest.total, ",.0f")
    assert f"“{strongest.ngram}” {moves} the positive score most: {amount} in total" in said
    assert f"occurs {row.seen} times in training" in said
    means = numbers(figure(app, 1)["figure"]["data"][0]["y"])
    assert len(means) == len(RUN.epochs)
    assert means[RUN.epochs.index(RUN.best_epoch)] == pytest.approx(row.contribution, rel=1e-5)
    assert row.example in said


def test_epochs_stand_side_by_side_on_one_scale(page: Page) -> None:
    app = page(**PAGE, epoch=["0", "6"])
    before, after = (figure(app, checkpoint)["figure"]["layout"]["xaxis"]["range"] for checkpoint in (0, 1))
    assert before == after


def test_an_ngram_of_another_panel_can_be_chosen(page: Page) -> None:
    app = page(**PAGE, epoch=["0", "6"], size="2")
    before, after = (figure(app, checkpoint)["figure"]["data"][0]["customdata"] for checkpoint in (0, 1))
    only_before = next(key for key in before if key not in after)
    app.selectbox(key="ngram").set_value(only_before).run()
    assert not app.exception
    assert f"Epoch 0: “{only_before.partition(' ')[2]}”" in shown(app).replace("\\", "")


def test_an_address_that_names_nothing(page: Page) -> None:
    wanted = {"run": "nix", "epoch": "99", "support": "-1", "size": "9", "order": "?", "ngram": "3 no such thing"}
    app = page(**PAGE, **wanted)
    assert not app.exception
    assert asked_in_vain(app) == wanted.keys()
    assert bars(app)


@pytest.fixture
def copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a copy of the run's folder that a test may damage, in the place of ``trained/``."""
    folder = tmp_path / "runs" / RUN.name
    sharing.copied(RUN, folder)
    monkeypatch.setenv("NLPVIZ_TRAINED", str(folder.parent))
    return folder


@pytest.mark.parametrize(("place", "file"), [(PAGE, REGIONS), (FILTER_PAGE, FILTERS)])
def test_a_run_that_was_not_surveyed(page: Page, copied: Path, place: dict[str, str], file: str) -> None:
    (copied / file).unlink()
    Run.open(copied).save()
    app = page(**place)
    assert not app.exception
    assert "has not been surveyed" in shown(app).replace("\\", "")


@pytest.mark.parametrize(("place", "file"), [(PAGE, REGIONS), (FILTER_PAGE, FILTERS)])
def test_a_damaged_survey(page: Page, copied: Path, place: dict[str, str], file: str) -> None:
    content = bytearray((copied / file).read_bytes())
    content[len(content) // 2] ^= 1
    (copied / file).write_bytes(content)
    import streamlit as st

    st.cache_resource.clear()  # the manifest is that of the sound run, and so is the cache's key
    app = page(**place)
    st.cache_resource.clear()
    assert not app.exception
    assert "is damaged" in shown(app).replace("\\", "")


@pytest.mark.parametrize("place", [REGION_PAGE, PAGE, FILTER_PAGE])
def test_no_run_at_all(page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: dict[str, str]) -> None:
    monkeypatch.setenv("NLPVIZ_TRAINED", str(tmp_path / "nothing"))
    app = page(**place)
    assert not app.exception
    assert "no trained run" in shown(app)


def test_precisions_are_shares(page: Page) -> None:
    table = {column["heading"]: column["column"] for column in figure(page(**PAGE))["table"]}
    precision = numbers(table["precision"])
    assert np.all((precision >= 0) & (precision <= 1))
