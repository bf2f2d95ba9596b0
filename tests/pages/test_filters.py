"""The page of filters shows what the survey found of each, and what the run's documents answer."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from nlpviz.runs import Run, open_run
from nlpviz.runs.documents import documents_of, embeddings_of
from nlpviz.runs.sharing import copied
from nlpviz.runs.surveys import FILTERS, filters
from tests.pages.conftest import Page, asked_in_vain, figure, numbers, shown

RUN = open_run("imdb-cnn")
FOUND = {one.id: one for one in filters(RUN, RUN.best_epoch)}
PAGE = {"name": "Inside the model", "view": "filters"}


def marks(app: AppTest) -> dict[str, tuple[float, float]]:
    """Return where each filter lies in the first panel, by its id."""
    return {
        identifier: (x, y)
        for trace in figure(app)["figure"]["data"]
        if trace.get("customdata")
        for identifier, x, y in zip(trace["customdata"], numbers(trace["x"]), numbers(trace["y"]), strict=True)
    }


def test_every_filter_lies_at_its_weight_and_mean(page: Page) -> None:
    drawn = marks(page(**PAGE))
    assert set(drawn) == set(FOUND)
    np.testing.assert_allclose(
        [drawn[key] for key in FOUND], [(one.weight, one.mean) for one in FOUND.values()], rtol=1e-5
    )


def test_the_filters_of_one_size(page: Page) -> None:
    assert set(marks(page(**PAGE, size="2"))) == {key for key in FOUND if key.startswith("2-")}


def test_a_chosen_filter_is_described(page: Page) -> None:
    one = FOUND["3-17"]
    app = page(**PAGE, filter="3-17")
    said = shown(app).replace("\\", "")
    moves = "raises" if one.weight > 0 else "lowers"
    amount = f"{abs(one.weight * one.mean):.2f}"
    assert f"Filter 3-17 detects “{one.ngrams[0].ngram}” and {moves} the positive score by {amount}" in said
    assert f"(correlation {one.correlation:.2f}; not a duplicate)" in said
    drawn = figure(app, 1)["figure"]["data"][0]
    np.testing.assert_allclose(numbers(drawn["x"]), [ngram.activation for ngram in one.ngrams], rtol=1e-5)


def test_the_histogram_counts_the_runs_documents(page: Page) -> None:
    one = FOUND["3-17"]
    traces = figure(page(**PAGE, filter="3-17"), 2)["figure"]["data"]
    column, labels = embeddings_of(RUN, RUN.best_epoch)[:, one.position], documents_of(RUN).labels
    for label, trace in enumerate(traces):
        counts = numbers(trace["y"])
        assert counts.sum() == (labels == label).sum()
        centres = numbers(trace["x"])
        mean = (counts * centres).sum() / counts.sum()
        assert mean == pytest.approx(column[labels == label].mean(), abs=centres[1] - centres[0])


def test_the_kept_activations_are_the_filters(page: Page) -> None:
    """The mean over the kept documents is about that over all: the histogram shows the right column."""
    means = np.array([one.mean for one in FOUND.values()])
    kept = embeddings_of(RUN, RUN.best_epoch).mean(axis=0)
    assert np.corrcoef(means, kept)[0, 1] > 0.99
    assert page(**PAGE)


def test_the_same_filter_at_every_epoch(page: Page) -> None:
    app = page(**PAGE, filter="2-5")
    table = app.table[0].value
    weights = [filters(RUN, epoch)[FOUND["2-5"].position].weight for epoch in RUN.epochs]
    assert [float(cell.replace("−", "-")) for cell in table["Weight"]] == [round(weight, 2) for weight in weights]
    assert len(app.table[1].value.columns) == 2, "one column a slot"


def test_a_dead_filter(page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No run here has one: the survey of a copy says that the first filter answered nothing."""
    folder = tmp_path / RUN.name
    copied(RUN, folder)
    monkeypatch.setenv("NLPVIZ_TRAINED", str(tmp_path))
    table = pd.read_parquet(folder / FILTERS)
    for row in table.index[table["position"] == 0]:
        table.loc[row, ["alive", "mean", "correlation"]] = 0
        for column in ("ngrams", "activations", "supports"):
            table.at[row, column] = table.at[row, column][:0]
    table.to_parquet(folder / FILTERS)
    Run.open(folder).save()
    app = page(**PAGE, filter="1-0")
    assert not app.exception
    assert "Filter 1-0 is **dead**" in shown(app).replace("\\", "")


def test_a_duplicate_names_its_twin(page: Page) -> None:
    one = next(one for one in FOUND.values() if one.duplicate)
    said = shown(page(**PAGE, filter=one.id)).replace("\\", "")
    twin = list(FOUND.values())[one.twin]
    assert f"Filter {twin.id}" in said
    assert "a **duplicate**" in said


def test_epochs_stand_side_by_side_on_one_scale(page: Page) -> None:
    app = page(**PAGE, epoch=["0", "1", "6"], filter="1-3")
    layouts = [figure(app, position)["figure"]["layout"] for position in range(5)]
    for layout in (layouts[0], layouts[4]):
        assert layout["xaxis"]["range"] == layout["xaxis2"]["range"] == layout["xaxis3"]["range"]
    assert layouts[1]["xaxis"]["range"] == layouts[2]["xaxis"]["range"] == layouts[3]["xaxis"]["range"]


@pytest.mark.parametrize("unit", ["3-999", "<b>"])
def test_an_address_that_names_nothing(page: Page, unit: str) -> None:
    wanted = {"filter": unit, "epoch": "-1", "size": "0"}
    app = page(**PAGE, **wanted)
    assert not app.exception
    assert asked_in_vain(app) == wanted.keys()
    assert marks(app)


def test_a_chosen_filter_is_in_the_address(page: Page) -> None:
    app = page(**PAGE)
    app.selectbox(key="filter").set_value("1-9").run()
    assert app.query_params["filter"] in ("1-9", ["1-9"])
