"""The training page shows the history and the measurements as they are stored."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from numpy.typing import NDArray
from streamlit.testing.v1 import AppTest

from nlpviz.results.history import EpochRecord
from nlpviz.run_kinds import history, kind_of
from nlpviz.runs import list_runs, open_run
from nlpviz.runs.history import read_history
from tests.pages.conftest import Page, figure, numbers, shown

RUN = open_run("imdb-cnn")


def test_curves_are_the_history(page: Page) -> None:
    app = page("Models", view="training")
    curves, levels = drawn(app)
    for values, column in zip(
        curves, ["train_loss", "validation_loss", "train_accuracy", "validation_accuracy"], strict=True
    ):
        np.testing.assert_allclose(values, [getattr(record, column) for record in read_history(RUN, EpochRecord)])
    baseline = open_run("imdb-ngrams")
    assert levels == {
        f"{run.title}: {run.metrics['test']['accuracy']:.1%} on test": run.metrics["test"]["accuracy"]
        for run in (RUN, baseline)
    }
    assert f"reaches {baseline.metrics['test']['accuracy']:.1%} on the same texts" in shown(app).replace("\\", "")
    (details,) = [one for one in app.expander if one.label == "Details"]
    (reached,) = [one.value for one in details.markdown]
    assert reached.startswith(f"Best epoch (validation): {RUN.best_epoch}, ")


def test_a_link_without_a_run_opens_the_main_one_and_every_kind_is_offered(page: Page) -> None:
    app = page("Models", view="training")
    assert app.selectbox(key="run").value == RUN.name
    offered = {run.title for run in list_runs()[0].values() if run.epochs}
    assert set(app.selectbox(key="run").options) == offered


@pytest.mark.parametrize("name", ["enwiki-skipgram", "enwiki-svd", "multi30k-en-fr-general", "wikitext2-lstm"])
def test_curves_of_other_kinds_are_their_histories(page: Page, name: str) -> None:
    run = open_run(name)
    records = history(run)
    app = page("Models", view="training", run=name)
    assert not app.exception
    of_kind = [curve for measure in kind_of(run).measures for curve in measure.curves]
    known = [one for one in of_kind if not all(np.isnan(getattr(record, one.column)) for record in records)]
    curves, levels = drawn(app)
    assert len(curves) == len(known) >= 1
    for values, curve in zip(curves, known, strict=True):
        np.testing.assert_allclose(values, [getattr(record, curve.column) for record in records])
    assert run.title in figure(app)["alt"]
    own = [kind_of(run).headline.value(run)] if kind_of(run).headline.drawn else []
    assert list(levels.values()) == own
    assert run.device in shown(app).replace("\\", "")
    headline = kind_of(run).headline
    assert f"{headline.written(run)}, at epoch {run.best_epoch}." in shown(app).replace("\\", "") or not run.epochs[1:]


def drawn(app: AppTest) -> tuple[list[NDArray[np.float64]], dict[str, float]]:
    """Return the curves of the figure, which have markers, and the value of each line across them by its name."""
    traces = figure(app)["figure"]["data"]
    curves = [numbers(trace["y"]) for trace in traces if trace["mode"] == "lines+markers"]
    across = {trace["name"]: numbers(trace["y"]).tolist() for trace in traces if trace["mode"] == "lines"}
    assert all(first == last for first, last in across.values())
    return curves, {name: first for name, (first, _) in across.items()}


def test_every_run_stands_beside_the_baseline(page: Page) -> None:
    app = page("Models", view="compare")
    runs, problems = list_runs()
    assert not problems
    table = app.table[0].value
    measured = [run for run in runs.values() if run.kind in ("classifier", "baseline")]
    assert len(table) == len(measured) >= 2
    assert all(f"{run.metrics['test']['accuracy']:.2%}" in set(table["Test accuracy"]) for run in measured)
    assert "bag of n-grams" in shown(page("Models", view="training"))


def test_word_vectors_have_a_table_of_their_own(page: Page) -> None:
    tables = [table.value for table in page("Models", view="compare").table]
    (table,) = (one for one in tables if "Analogies" in one)
    runs = [run for run in list_runs()[0].values() if run.kind == "word-vectors"]
    assert len(table) == len(runs) >= 2
    shares = sorted((run.metrics["analogies"]["accuracy"] for run in runs), reverse=True)
    assert table["Analogies"].tolist() == [f"{share:.1%}" for share in shares]


def test_parameters_add_up(page: Page) -> None:
    terms = page("Models", view="training").table[-1].value["Parameters"].str.replace(",", "").astype(int).tolist()
    assert sum(terms[:-1]) == terms[-1] == RUN.parameter_count


def test_the_map_needs_no_torch() -> None:
    """The first figure of a cold server must not wait for torch."""
    code = (
        "import sys; from nlpviz.figures.documents.maps import MapStyle, document_map;"
        "from nlpviz.runs import open_run; from nlpviz.runs.documents import projections_of, run_documents;"
        "run = open_run('imdb-cnn'); maps = [p for p in projections_of(run) if p.dimensions == 2][:1];"
        "document_map([run_documents(run)], maps, 'PCA', MapStyle()); sys.exit('torch' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
