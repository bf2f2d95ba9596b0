"""The word map shows PCA's own coordinates, marks a word's neighbours in the original space, and places a review."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from threading import Event
from time import monotonic, sleep
from typing import Any

import numpy as np
import pytest
from sklearn.decomposition import PCA
from streamlit.testing.v1 import AppTest

from nlpviz.analysis.projections.words import directions_of, skipped
from nlpviz.runs import Run
from nlpviz.runs.vectors import read_vectors
from nlpviz.runs.weights import weights_file
from nlpviz.word_vectors.neighbours import neighbours
from tests.pages.conftest import Page, figure, numbers, shown
from tests.words import write_toy_run

TYPED = "man, woman, king, queen, boy, girl, prince, princess, paris, berlin, rome, madrid, good, bad"


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """A run of toy words, the only one there is."""
    monkeypatch.setenv("NLPVIZ_TRAINED", str(tmp_path / "runs"))
    return write_toy_run(tmp_path / "runs")


def positions(app: AppTest, panel: int = 1) -> dict[str, tuple[float, ...]]:
    """Return where a panel of the figure draws each word."""
    return {
        word: (x, y)
        for trace in figure(app)["figure"]["data"]
        if trace.get("customdata") and trace.get("xaxis", "x") in (f"x{panel}", "x" if panel == 1 else "")
        for word, x, y in zip(trace["customdata"], numbers(trace["x"]), numbers(trace["y"]), strict=True)
    }


def trace_of(app: AppTest, name: str) -> dict[str, Any]:
    """Return the trace of the figure that is called ``name``."""
    return next(trace for trace in figure(app)["figure"]["data"] if trace.get("name") == name)


def until_drawn(app: AppTest) -> AppTest:
    """Return the page when no map is being made any more; meanwhile it shows PCA's."""
    end = monotonic() + 120
    while app.get("progress"):
        assert "PCA" in figure(app)["caption"]
        assert monotonic() < end, shown(app)
        sleep(0.2)
        app.run()
    return app


def pressed(app: AppTest, label: str) -> AppTest:
    """Press the button of that label, and return the page as it is then."""
    return next(button for button in app.button if button.label == label).click().run()


def test_words_lie_on_the_axes_of_the_chosen_epoch(page: Page, run: Run) -> None:
    app = page("Words", view="map", epoch=["0", "2"], pairs="none")
    assert not app.exception
    first, last = (read_vectors(run, epoch) for epoch in (0, 2))
    words = last.words[skipped(last) :]
    axes = PCA(2).fit(directions_of(last, words).astype(np.float64))
    for panel, space in ((1, first), (2, last)):
        drawn = positions(app, panel)
        expected = axes.transform(directions_of(space, words))
        assert drawn.keys() == set(words)
        np.testing.assert_allclose([drawn[word] for word in words], expected, atol=1e-4)
    assert "All epochs use the principal axes of epoch 2" in figure(app)["caption"]
    assert f"the {len(words)} most frequent words after the first 3" in figure(app)["caption"]


@pytest.mark.usefixtures("run")
def test_a_map_does_not_change_with_the_epochs_beside_it(page: Page) -> None:
    alone, beside = page("Words", view="map", epoch="2"), page("Words", view="map", epoch=["1", "2"])
    assert positions(alone) == positions(beside, 2)
    ranges = [figure(app)["figure"]["layout"]["xaxis"]["range"] for app in (alone, beside)]
    assert ranges[0] == ranges[1], "the axes have room for all epochs"
    views = {figure(app)["figure"]["layout"]["uirevision"] for app in (alone, beside)}
    assert len(views) == 1, "the zoom stays"


def test_neighbours_of_a_clicked_word_are_those_of_the_original_space(page: Page, run: Run) -> None:
    app = page("Words", view="map", word="King", epoch="2")
    vectors = read_vectors(run)
    near = neighbours(vectors, "king", 10).neighbours
    assert trace_of(app, "king")["customdata"] == ["king"]
    assert set(trace_of(app, "nearest to king")["customdata"]) == {one.word for one in near}
    listed = app.table[0].value.iloc[:, 0].str.replace("\\", "").tolist()
    assert listed == [f"{one.word} {one.score:.2f}" for one in near]
    assert app.query_params["word"] == "King"


def test_an_unknown_word_is_said_with_spellings(page: Page, run: Run) -> None:
    app = page("Words", view="map", word="quen")
    assert not app.exception
    assert "did you mean queen" in shown(app).replace("\\", "")
    assert len(positions(app)) >= len(read_vectors(run).words) - 3, "the map is drawn all the same"


@pytest.mark.usefixtures("run")
@pytest.mark.parametrize("word", ["<b>king</b>", "king " * 1000, "x" * 100_000, "\x00", "12", "{word}"])
def test_nonsense_as_a_word(page: Page, word: str) -> None:
    app = page("Words", view="map", word=word)
    assert not app.exception
    assert len(positions(app)) > 30
    assert "is not among" in shown(app)


@pytest.mark.usefixtures("run")
def test_pairs_are_joined(page: Page) -> None:
    app = page("Words", view="map", pairs="family")
    drawn = figure(app)["figure"]
    spots = positions(app)
    ends = {((line["x0"], line["y0"]), (line["x1"], line["y1"])) for line in drawn["layout"]["shapes"]}
    expected = (spots["man"], spots["woman"])
    assert any(np.allclose(pair, expected, atol=1e-6) for pair in ends)
    assert len(ends) >= 5
    assert not figure(page("Words", view="map", pairs="none"))["figure"]["layout"].get("shapes")


@pytest.mark.usefixtures("run")
def test_typed_words(page: Page) -> None:
    app = page("Words", view="map", words="typed", list=TYPED + ", qqq", pairs="none")
    assert set(positions(app)) == set(TYPED.split(", "))
    joined = page("Words", view="map", words="typed", list=TYPED, pairs="family", epoch="2")
    assert len(figure(joined)["figure"]["layout"]["shapes"]) == 4, "pairs of the list alone, which lacks uncle"
    assert "left out: qqq" in shown(app)
    few = page("Words", view="map", words="typed", list="king, queen")
    assert "A PCA map needs at least 4 words from the vocabulary, not 2." in shown(few).replace("\\", "")
    assert not few.exception


@pytest.mark.usefixtures("run")
def test_what_is_left_out_is_said_where_it_is_true(page: Page) -> None:
    assert "The 3 most frequent words are left out" in shown(page("Words", view="map"))
    typed = page("Words", view="map", words="typed", list=TYPED)
    assert "left out" not in shown(typed)


def test_a_review_is_placed_as_the_mean_of_its_words(page: Page, run: Run) -> None:
    app = page("Words", view="map", pairs="none", epoch="2")
    app.text_area(key="text").set_value("Good, good king: qqq").run()
    star = trace_of(app, "your text")
    vectors = read_vectors(run)
    words = vectors.words[skipped(vectors) :]
    rows = [vectors.positions[word] for word in ("good", "good", "king")]
    mean = np.mean([vectors.vector(row) for row in rows], axis=0)
    expected = PCA(2).fit(directions_of(vectors, words).astype(np.float64)).transform([mean / np.linalg.norm(mean)])
    np.testing.assert_allclose([numbers(star["x"])[0], numbers(star["y"])[0]], expected[0], atol=1e-4)
    told = shown(app).replace("\\", "")
    assert "3 of the review’s 4 words are in the vocabulary" in told
    assert "is exact" in told
    assert "qqq" not in str(dict(app.query_params))


@pytest.mark.usefixtures("run")
@pytest.mark.parametrize(
    ("review", "sentence"), [("", "The review contains no words"), ("qqq zzz", "out of vocabulary")]
)
def test_a_review_without_known_words(page: Page, review: str, sentence: str) -> None:
    app = page("Words", view="map")
    app.text_area(key="text").set_value(review or " ").run()
    assert sentence in shown(app)
    assert "your text" not in [trace.get("name") for trace in figure(app)["figure"]["data"]]


@pytest.mark.usefixtures("run")
def test_tsne_is_made_by_the_worker_and_pca_is_shown_meanwhile(page: Page) -> None:
    app = until_drawn(page("Words", view="map", map="tsne", epoch=["1", "2"], word="king"))
    assert "t-SNE" in figure(app)["caption"]
    assert "aligned to it (Procrustes)" in figure(app)["caption"]
    app.text_area(key="text").set_value("a good king").run()
    assert "knows none of" in shown(app) or "approximate" in shown(app)


def test_another_list_of_the_same_length_waits_for_no_old_one(page: Page, busy: Event) -> None:
    first = TYPED.split(", ")
    second = [*first[:-1], "uncle"]
    app = page("Words", view="map", map="tsne", words="typed", list=", ".join(first), pairs="none")
    old = app.session_state["map_job"]
    app.text_area(key="list").set_value(", ".join(second)).run()
    assert old.state == "cancelled"
    assert app.session_state["map_job"].title == old.title
    busy.set()
    until_drawn(app)
    assert "t-SNE" in figure(app)["caption"]
    assert set(positions(app)) == set(second)


@pytest.mark.usefixtures("busy", "run")
def test_what_is_computed_is_counted_in_words(page: Page, tmp_path: Path) -> None:
    run = write_toy_run(tmp_path / "runs", "toy-counted")
    app = page("Words", view="map", map="tsne", pairs="none", run=run.name)
    assert app.session_state["map_job"].title.endswith(f"{run.name}, 3 epochs")
    (run.folder / weights_file(0)).unlink()
    (run.folder / weights_file(1)).unlink()
    replace(run, epochs=(2,)).save()
    app = page("Words", view="map", map="tsne", pairs="none", run=run.name)
    assert app.session_state["map_job"].title.endswith(f"{run.name}, 1 epoch")


def test_runs_side_by_side_keep_their_epochs_in_the_table(page: Page, tmp_path: Path, run: Run) -> None:
    other = write_toy_run(tmp_path / "runs", "toy-other")
    app = page("Words", view="map", run=[run.name, other.name], epoch=["0", "2"], word="king")
    headings = [column["heading"] for column in figure(app)["table"]]
    assert len(headings) == 1 + 4 * 3, "the word; in each of four panels two places and a cosine"
    for name in (run.name, other.name):
        for epoch in (0, 2):
            assert f"x, Toy skip-gram ({name}), epoch {epoch}" in headings
            assert f"Toy skip-gram ({name}), epoch {epoch}: trust" in figure(app)["alt"]


@pytest.mark.parametrize("dimensions", ["2", "3"])
def test_another_run_is_turned_onto_the_first(page: Page, tmp_path: Path, run: Run, dimensions: str) -> None:
    """The other run holds the very same vectors, so that turned onto them they lie upon them."""
    other = write_toy_run(tmp_path / "runs", "toy-other")
    app = page("Words", view="map", run=[run.name, other.name], dimensions=dimensions, epoch="2")
    assert not app.exception
    if dimensions == "2":
        first, second = positions(app, 1), positions(app, 2)
        np.testing.assert_allclose([first[word] for word in first], [second[word] for word in first], atol=1e-3)


@pytest.mark.usefixtures("run")
def test_the_page_begins_with_one_map_that_plays_all_epochs(page: Page) -> None:
    app = page("Words", view="map")
    assert app.table[0].value["Map"].str[-1].tolist() == ["2"]
    assert [frame["value"] for frame in figure(app)["playback"]["frames"]] == ["0", "1", "2"]
    assert "epoch" not in app.query_params
    assert page("Words", view="similarity").query_params.get("epoch") is None


@pytest.mark.usefixtures("run")
def test_trust_stands_beside_the_map(page: Page) -> None:
    app = page("Words", view="map", epoch=["0", "2"])
    table = app.table[0].value
    assert table["Map"].str.replace("\\", "").tolist() == ["Toy skip-gram, epoch 0", "Toy skip-gram, epoch 2"]
    assert all(0 < float(value.split(", ")[0]) <= 1 for value in table.iloc[:, 1])
    assert all(
        0.5 < float(value.split(" / ")[0]) <= 1 for value in table["Chance level (random layout / random vectors)"]
    )
    assert all(value.endswith("%") for value in table["Explained variance"])
