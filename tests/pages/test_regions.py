"""The page of predictive regions says what the network says, of any text, and it adds up."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from nlpviz.analysis.inspection.regions import predictive_regions
from nlpviz.data.examples import examples
from nlpviz.results.regions import RANKS, STEPS, PredictiveRegions
from nlpviz.runs import Run, ngram_counts, open_run
from nlpviz.runs.documents import documents_of
from nlpviz.runs.sharing import copied
from tests.pages.conftest import Page, asked_in_vain, figure, numbers, shown
from tests.pages.test_saliency import ODD, html, typed

RUN = open_run("imdb-cnn")
EXAMPLE = examples()[3]
PAGE = {"name": "One review", "view": "n-grams"}


@pytest.fixture(scope="module")
def expected() -> PredictiveRegions:
    """The regions of an example at the best epoch."""
    return predictive_regions(RUN.load(), EXAMPLE.text, len(RUN.class_names) - 1)


def bars(app: AppTest, checkpoint: int = 0) -> dict[str, float]:
    """Return the length of each bar of one checkpoint, by the region's id."""
    result = figure(app, checkpoint)["figure"]["data"][0]
    return dict(zip(result["customdata"], numbers(result["x"]), strict=True))


@pytest.mark.parametrize("rank", RANKS)
def test_bars_are_what_the_network_says(page: Page, expected: PredictiveRegions, rank: str) -> None:
    drawn = bars(page(**PAGE, text=EXAMPLE.id, rank=rank))
    values = {region.id: region.contribution if rank == "contribution" else region.norm for region in expected.regions}
    assert len(drawn) >= 15
    np.testing.assert_allclose(list(drawn.values()), [values[key] for key in drawn], rtol=1e-4)
    for size in RUN.config["region_sizes"]:
        strongest = max((key for key in values if key.startswith(f"{size}-")), key=lambda key: abs(values[key]))
        assert strongest in drawn


def test_only_one_size(page: Page, expected: PredictiveRegions) -> None:
    drawn = bars(page(**PAGE, text=EXAMPLE.id, size="3"))
    assert {key.partition("-")[0] for key in drawn} == {"3"}
    assert list(drawn) == [region.id for region in expected.ranked("contribution", 3)[: len(drawn)]]


def test_unseen_ngrams_never_stood_in_training(page: Page) -> None:
    app = page(**PAGE, text=EXAMPLE.id, training="never")
    counts, table = ngram_counts("imdb"), figure(app)["table"]
    ngrams = next(column["column"] for column in table if column["heading"] == "n-gram")
    assert counts is not None
    assert ngrams
    assert {counts.of(ngram.split()) for ngram in ngrams} == {0}


def test_it_adds_up(page: Page, expected: PredictiveRegions) -> None:
    app = page(**PAGE, text=EXAMPLE.id)
    climbed, total = (trace for trace in figure(app, 1)["figure"]["data"])
    assert sum(numbers(climbed["x"])) == pytest.approx(expected.class_score, abs=1e-4)
    assert numbers(total["x"])[0] == pytest.approx(expected.class_score, abs=1e-4)
    said = next(str(element.value) for element in app.markdown if str(element.value).startswith("Bias"))
    sums = re.findall(r"[+−]?\d+\.\d+", said.partition(" log-odds")[0])
    bias, positive, negative, score = (float(written.replace("−", "-")) for written in sums)
    assert bias + positive + negative == pytest.approx(score, abs=0.02), "each number is rounded"
    assert score == pytest.approx(expected.class_score, abs=0.005)


def test_the_other_class_has_the_opposite_signs(page: Page) -> None:
    positive = bars(page(**PAGE, text=EXAMPLE.id))
    negative = bars(page(**PAGE, text=EXAMPLE.id, target=RUN.class_names[0]))
    assert positive == pytest.approx({key: -value for key, value in negative.items()})


def test_regions_are_boxed_in_the_text(page: Page, expected: PredictiveRegions) -> None:
    app = page(**PAGE, text=EXAMPLE.id)
    said = re.findall(r'nlpviz-box-(?:for|against)[^"]*" role="group" title="([^"]*)"', html(app))
    strongest = expected.ranked("contribution")[0]
    assert 1 < len(said) <= 12
    assert any(f"contribution {strongest.contribution:+.2f}".replace("-", "−") in title for title in said)
    assert all("in training" in title for title in said), "each says how often it occurs in training"


def test_a_chosen_region_names_its_filters(page: Page, expected: PredictiveRegions) -> None:
    region = expected.ranked("contribution")[2]
    app = page(**PAGE, text=EXAMPLE.id, region=region.id)
    assert html(app).count('nlpviz-box-selected" role') == 1
    _, activation, amount = expected.filters_of(region)[0]
    wanted = f"{activation:.2f} × {amount / activation:+.2f} = {amount:+.2f}".replace("-", "−")
    assert wanted in shown(app).replace("\\", ""), "a test of a single page sees links as captions"
    counts = ngram_counts("imdb")
    assert counts is not None
    times = counts.of(region.words)
    assert ("occurs once" if times == 1 else f"occurs {times:,} times" if times else "never occurs") in shown(app)


def test_epochs_stand_side_by_side_on_one_scale(page: Page) -> None:
    app = page(**PAGE, text=EXAMPLE.id, epoch=["0", str(RUN.best_epoch)])
    before, after = (figure(app, checkpoint)["figure"]["layout"]["xaxis"]["range"] for checkpoint in (0, 1))
    assert before == after
    assert max(map(abs, bars(app, 0).values())) < max(map(abs, bars(app, 1).values())), "untrained, it hardly answers"
    assert html(app).count('class="nlpviz-text nlpviz-boxed"') == 2


def test_a_region_of_another_panel_can_be_chosen(page: Page, expected: PredictiveRegions) -> None:
    app = page(**PAGE, text=EXAMPLE.id, epoch=["0", str(RUN.best_epoch)])
    only_before = next(key for key in bars(app, 0) if key not in bars(app, 1))
    app.selectbox(key="region").set_value(only_before).run()
    words = next(region.ngram for region in expected.regions if region.id == only_before)
    assert f"“{words}”" in shown(app).replace("\\", "")
    assert app.query_params["region"] in (only_before, [only_before])


def test_a_step_of_another_size_can_be_chosen(page: Page, expected: PredictiveRegions) -> None:
    """The staircase shows the strongest of all sizes, whatever size the bars are of."""
    step = next(region for region in expected.ranked("contribution")[:STEPS] if region.size != 1)
    app = page(**PAGE, text=EXAMPLE.id, size="1", region=step.id)
    assert "The address asks" not in shown(app)
    assert f"“{step.ngram}”" in shown(app).replace("\\", "")


def test_another_text_begins_with_its_own_strongest_region(page: Page, expected: PredictiveRegions) -> None:
    app = page(**PAGE, text=EXAMPLE.id, region=expected.ranked("contribution")[2].id)
    app.selectbox(key="text_source 0").set_value(examples()[0].id).run()
    other = predictive_regions(RUN.load(), examples()[0].text, len(RUN.class_names) - 1)
    assert app.selectbox(key="region").value == other.ranked("contribution")[0].id
    assert "region" not in app.query_params


@pytest.mark.ci
@pytest.mark.parametrize("rank", RANKS)
def test_any_text_gets_an_answer(page: Page, rank: str) -> None:
    app = page(**PAGE, rank=rank, epoch=["0", "6"])
    for name, text in ODD.items():
        typed(app, text)
        assert not app.exception, name
        assert not app.error, name
        assert "Residual" in shown(app), name
        assert not re.search(r"<(script|img|b>bold)", html(app)), name


def test_an_address_that_names_nothing(page: Page) -> None:
    wanted = {"run": "nix", "epoch": "99", "rank": "<b>x</b>", "size": "7", "region": "9-9", "training": "?"}
    app = page(**PAGE, **wanted)
    assert not app.exception
    assert asked_in_vain(app) == wanted.keys()
    assert bars(app)


def test_a_review_of_a_corpus_that_is_not_there(page: Page) -> None:
    app = page(**PAGE, text=documents_of(RUN).ids[0])
    assert not app.exception
    assert [button for button in app.button if "Download" in button.label]
    assert bars(app), "the example is shown in its place"


def test_without_counts_nothing_is_said_of_training(
    page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copied(RUN, tmp_path / "runs" / RUN.name)
    monkeypatch.setenv("NLPVIZ_TRAINED", str(tmp_path / "runs"))
    app = page(**PAGE)
    assert bars(app)
    assert "in training" not in html(app)
    assert "It is unknown which" in shown(page(**PAGE, training="never"))


def test_a_network_without_regions_gets_a_sentence(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    load, gru = Run.load, open_run("imdb-gru").load()

    def without(run: Run, epoch: int | None = None) -> object:
        return replace(load(run, epoch), module=gru.module)  # it predicts classes all the same

    monkeypatch.setattr(Run, "load", without)
    import streamlit as st

    st.cache_resource.clear()
    app = page(**PAGE)
    st.cache_resource.clear()
    assert not app.exception
    assert "does not pool over n-grams" in shown(app).replace("\\", "")
