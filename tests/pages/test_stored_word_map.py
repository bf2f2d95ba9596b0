"""The word map shows the maps that a run keeps at once; what nobody computed is dimmed until it is there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from nlpviz.analysis.projections.stored_words import project_words, stored_maps
from nlpviz.analysis.projections.words import WordMapSettings, common_words
from nlpviz.runs import Run, open_run
from nlpviz.runs.vectors import read_vectors
from nlpviz.runs.word_maps import write_word_maps
from nlpviz.ui.words import maps
from nlpviz.ui.words.choice import VectorSource, of_run
from nlpviz.ui.words.projector import first_projector
from tests.pages.conftest import Page, figure, numbers
from tests.words import write_toy_run


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """A run of toy words that keeps its maps, the only one there is."""
    monkeypatch.setenv("NLPVIZ_TRAINED", str(tmp_path / "runs"))
    toy = write_toy_run(tmp_path / "runs")
    return write_word_maps(toy, project_words(toy))


def drawn(app: AppTest) -> dict[str, tuple[float, ...]]:
    """Return where the first panel draws each word."""
    return {
        word: (x, y)
        for trace in figure(app)["figure"]["data"]
        if trace.get("customdata") and trace.get("xaxis", "x") in ("x", "x1")
        for word, x, y in zip(trace["customdata"], numbers(trace["x"]), numbers(trace["y"]), strict=True)
    }


def dimmed(app: AppTest) -> list[Any]:
    """Return what is written over a map that stands in for another one."""
    return [note for note in figure(app)["figure"]["layout"]["annotations"] if "Still" in note["text"]]


def test_a_stored_map_is_there_at_once(page: Page, run: Run) -> None:
    app = page("Words", view="map", map="tsne", pairs="none", epoch="2")
    assert not app.exception
    assert not app.get("progress")
    words = common_words([read_vectors(run)], 2000)
    stored = stored_maps(run, words, WordMapSettings("tsne", 2))
    assert stored is not None
    where = drawn(app)
    assert where.keys() == set(words)
    np.testing.assert_allclose([where[word] for word in words], stored[-1].coordinates, atol=1e-4)
    assert not dimmed(app)
    assert app.table[0].value.iloc[0, 1].startswith(f"{stored[-1].trustworthiness:.2f}, ")


def test_a_list_of_ones_own_is_computed_and_the_map_shown_meanwhile_is_dimmed(page: Page, run: Run) -> None:
    words = ", ".join(common_words([read_vectors(run)], 20))
    app = page("Words", view="map", map="tsne", words="typed", list=words, pairs="none", run=run.name)
    (note,) = dimmed(app)
    assert note["text"] == "Still the PCA map:<br>t-SNE has not been computed yet"
    assert "PCA" in figure(app)["caption"]


def test_tsne_is_first_where_all_shown_runs_keep_its_maps(run: Run, tmp_path: Path) -> None:
    bare = write_toy_run(tmp_path / "runs", "bare")
    assert first_projector([of_run(run, 2)]) == "tsne"
    assert first_projector([of_run(run, 2), of_run(bare, 2)]) == "pca"
    assert first_projector([of_run(run, 2, "output")]) == "pca"
    assert first_projector([VectorSource("own", "own")]) == "pca"


def test_the_committed_runs_begin_with_two_thousand_words_by_tsne() -> None:
    skipgram = open_run("enwiki-skipgram")
    assert first_projector([of_run(skipgram, skipgram.best_epoch)]) == "tsne"
    assert int(maps.COUNTED[0]) >= 2000
