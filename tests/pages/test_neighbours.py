"""The desk of neighbours shows the words with the largest cosines, on toy words whose relations were planted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from nlpviz.results.vectors import WordVectors
from nlpviz.runs import Run, list_runs, open_run
from nlpviz.runs.vectors import KIND, read_vectors
from nlpviz.word_vectors.learning import word_models
from tests.pages.conftest import Page, asked_in_vain, figure, numbers, opened, shown

PAGE = {"name": "Words"}


def nearest(
    run: Run, word: str, count: int, epoch: int = 2, asked: str = "input", searched: str = "input"
) -> list[str]:
    """Return the nearest words by numpy alone."""
    of, among = read_vectors(run, epoch, asked), read_vectors(run, epoch, searched)
    cosines = among.directions @ of.directions[of.words.index(word)]
    ranked = [among.words[position] for position in np.argsort(-cosines, kind="stable")]
    return [other for other in ranked if other != word][:count]


def bars(app: AppTest, position: int = 0) -> dict[str, float]:
    """Return each bar's word and length."""
    trace = figure(app, position)["figure"]["data"][0]
    return dict(zip(trace["customdata"], numbers(trace["x"]), strict=True))


def plain(app: AppTest) -> str:
    return shown(app).replace("\\", "")


def table(payload: dict[str, Any]) -> dict[str, Any]:
    return {column["heading"]: column["column"] for column in payload["table"]}


def test_bars_are_the_largest_cosines(toy_page: Page) -> None:
    run = open_run("toy-first")
    app = toy_page(**PAGE, run="toy-first", word="queen")
    result = bars(app)
    assert list(result) == nearest(run, "queen", 10)
    vectors = read_vectors(run)
    row = vectors.directions[vectors.words.index("queen")]
    for word, cosine in result.items():
        assert cosine == pytest.approx(float(vectors.directions[vectors.words.index(word)] @ row), abs=1e-6)


def test_how_common_the_word_is(toy_page: Page) -> None:
    vectors = read_vectors(open_run("toy-first"))
    position = vectors.words.index("paris")
    said = plain(toy_page(**PAGE, run="toy-first", word="paris"))
    assert f"*paris* occurs {vectors.count(position)} times in toy: rank {position + 1} of {len(vectors)}." in said


def test_sources_side_by_side_say_what_they_share(toy_page: Page) -> None:
    run = open_run("toy-first")
    app = toy_page(**PAGE, run="toy-first", word="king", epoch=["0", "2"])
    first, last = (nearest(run, "king", 10, epoch) for epoch in (0, 2))
    assert [list(bars(app, position)) for position in (0, 1)] == [first, last]
    shared = [word for word in first if word in last]
    assert 1 < len(shared) < 10
    assert f"Of the 10 nearest neighbours of *king*, {len(shared)} are in both lists" in plain(app)
    assert f"Nearest to *king*: **{first[0]}**, cosine " in plain(app)
    labels = figure(app)["figure"]["data"][1]["text"]
    assert [word for word, label in zip(first, labels, strict=True) if "◆" in label] == shared
    assert figure(app)["figure"]["layout"]["xaxis"]["range"] == figure(app, 1)["figure"]["layout"]["xaxis"]["range"]
    dim = figure(app)["figure"]["data"][0]["marker"]["opacity"]
    assert [share == 1 for share in numbers(dim)] == [word in shared for word in first]


def test_output_vectors_and_input_against_output(toy_page: Page) -> None:
    run = open_run("toy-first")
    app = toy_page(**PAGE, run="toy-first", word="good", vectors=["output", "input-output"])
    assert list(bars(app, 0)) == nearest(run, "good", 10, asked="output", searched="output")
    assert list(bars(app, 1)) == nearest(run, "good", 10, asked="input", searched="output")


def test_an_epoch_without_output_vectors_says_so(toy_page: Page) -> None:
    app = toy_page(**PAGE, run="toy-first", word="good", vectors="output", epoch=["0", "2"])
    assert "No output vectors are stored for Toy skip-gram (toy-first), epoch 0" in plain(app)
    assert bars(app)
    app = toy_page(**PAGE, run="toy-first", word="good", vectors="output", epoch="0")
    assert list(bars(app)) == nearest(open_run("toy-first"), "good", 10, 2), "the input vectors stand in"


def test_a_band_of_frequencies(toy_page: Page) -> None:
    app = toy_page(**PAGE, run="toy-first", word="good", band="middle")
    assert "These vectors contain no words among ranks 1,000 to 10,000" in plain(app)
    assert len(bars(toy_page(**PAGE, run="toy-first", word="good", band="common", count="20"))) == 20


def test_unknown_words_get_spellings_and_never_an_error(toy_page: Page) -> None:
    app = toy_page(**PAGE, run="toy-first", word="queem")
    assert not app.error
    known = len(read_vectors(open_run("toy-first")))
    assert f"'queem' is not among the {known} words of Toy skip-gram (toy-first)." in plain(app)
    assert [button.label for button in app.button if button.key.startswith("spelling")] == ["queen"]


def test_a_beginning_offers_words_that_go_on(toy_page: Page) -> None:
    app = toy_page(**PAGE, run="toy-first", word="prin")
    assert [button.label for button in app.button if button.key.startswith("spelling")][:2] == ["prince", "princess"]


@pytest.mark.parametrize(
    "typed",
    [
        "",
        " ",
        "<b>x</b>",
        "42",
        "**",
        "a" * 100_000,
        "word " * 1_000,
        "{}",
        "$x$",
        "\x00",
        "🙂",
        "king\nqueen",
        "[a](b)",
    ],
)
def test_nonsense_gets_a_sentence(toy_page: Page, typed: str) -> None:
    assert toy_page
    app = opened("Words")
    app.query_params["run"] = "toy-first"
    app.session_state["word"] = typed  # AppTest cannot type what is no option
    app.run()
    assert not app.exception
    assert not app.error
    assert len(app.info) == 1
    assert all(len(info.value) < 400 for info in app.info)


@pytest.mark.parametrize("typed", ["QUEEN", " queen ", "Queen"])
def test_case_and_spaces_do_not_matter(toy_page: Page, typed: str) -> None:
    assert list(bars(toy_page(**PAGE, run="toy-first", word=typed))) == nearest(open_run("toy-first"), "queen", 10)


def test_a_phrase_with_spaces_or_underscores(toy_page: Page) -> None:
    expected = nearest(open_run("toy-first"), "new_york", 10)
    assert list(bars(toy_page(**PAGE, run="toy-first", word="new york"))) == expected
    assert list(bars(toy_page(**PAGE, run="toy-first", word="New_York"))) == expected


def test_a_click_asks_for_the_word(toy_page: Page) -> None:
    app = toy_page(**PAGE, run="toy-first", word="king")
    button = next(button for button in app.button if button.key == "ask_0")
    app = button.click().run()
    assert app.query_params["word"] in (button.label, [button.label])
    assert list(bars(app)) == nearest(open_run("toy-first"), button.label, 10)


def test_every_choice_is_in_the_address(toy_page: Page) -> None:
    app = toy_page(**PAGE, run="toy-first", word="rome")
    app.pills(key="word_epochs").set_value(["1"])
    app.pills(key="word_tables").set_value(["input"])
    app.multiselect(key="word_runs").set_value(["toy-second"])
    app.selectbox(key="band").set_value("common")
    app.selectbox(key="count").set_value("20").run()
    held = {key: "".join(app.query_params[key]) for key in ("run", "word", "epoch", "band", "count")}
    assert held == {"run": "toy-second", "word": "rome", "epoch": "1", "band": "common", "count": "20"}
    assert list(bars(app)) == nearest(open_run("toy-second"), "rome", 20, 1)


@pytest.mark.parametrize("epoch", ["-1", "<b>"])
def test_an_address_that_names_nothing(toy_page: Page, epoch: str) -> None:
    wanted = {"run": "no-run", "epoch": epoch, "band": "x", "vectors": "both"}
    app = toy_page(**PAGE, word="king", **wanted)
    assert not app.exception
    assert asked_in_vain(app) == wanted.keys()
    assert bars(app)


def test_more_sources_than_fit(toy_page: Page) -> None:
    app = toy_page(**PAGE, word="king", run=["toy-first", "toy-second"], epoch=["0", "1", "2"])
    assert "6 sources are selected, but only 4 fit side by side. The first 4 are shown." in shown(app)
    assert [bars(app, position) is not None for position in range(4)] == [True] * 4


def test_the_table_under_a_figure_is_the_figure(toy_page: Page) -> None:
    payload = figure(toy_page(**PAGE, run="toy-first", word="king"))
    columns = table(payload)
    assert columns["word"] == payload["figure"]["data"][0]["customdata"]
    np.testing.assert_allclose(numbers(columns["cosine"]), numbers(payload["figure"]["data"][0]["x"]), rtol=1e-6)


def test_the_table_of_all_sources(toy_page: Page) -> None:
    app = toy_page(**PAGE, run="toy-first", word="king", epoch=["1", "2"])
    rows = app.dataframe[0].value
    near = [nearest(open_run("toy-first"), "king", 10, epoch) for epoch in (1, 2)]
    named = {word: sum(word in own for own in near) for own in near for word in own}
    assert dict(zip(rows["Word"], rows["Lists"], strict=True)) == named
    for epoch in (1, 2):
        vectors = read_vectors(open_run("toy-first"), epoch)
        king, *others = (vectors.directions[vectors.words.index(word)] for word in ("king", *rows["Word"]))
        np.testing.assert_allclose(rows[f"Cosine, Toy skip-gram (toy-first), epoch {epoch}"], others @ king, atol=1e-6)


def test_the_cosine_is_worked_out(toy_page: Page) -> None:
    vectors = read_vectors(open_run("toy-first"))
    near = nearest(open_run("toy-first"), "king", 1)[0]
    one, other = (vectors.vector(vectors.words.index(word)) for word in ("king", near))
    said = plain(toy_page(**PAGE, run="toy-first", word="king"))
    lengths = f"{np.linalg.norm(one):.2f} and {np.linalg.norm(other):.2f}"
    assert f"have dot product {one @ other:.2f} and lengths {lengths}" in said


def test_no_word_vectors_at_all(page: Page, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NLPVIZ_TRAINED", str(tmp_path))
    app = page(**PAGE)
    assert not app.exception
    assert "There are no word vectors yet" in shown(app)


@pytest.mark.ci
def test_every_committed_run_knows_its_commonest_words(page: Page) -> None:
    for name, run in list_runs()[0].items():
        if run.kind == KIND:
            word = run.vocabulary.words[200]
            assert list(bars(page(**PAGE, run=name, word=word))) == nearest(run, word, 10, run.best_epoch)


def test_a_visitors_own_vectors_stand_beside_a_run(toy_page: Page) -> None:
    assert toy_page
    words = ("paris", "king", "jazz", "queen")
    vectors = np.array([[2, 0], [0, 3], [1, 1], [0.5, 1]], dtype=np.float32)
    app = opened("Words")
    app.session_state["tab contents"] = {"own vectors": {"mine.txt": WordVectors.of("mine.txt", words, vectors)}}
    app.query_params["run"] = ["toy-first", "mine.txt"]
    app.query_params["word"] = "king"
    app.run()
    assert not app.exception
    cosines = {"queen": 1 / np.sqrt(1.25), "jazz": np.sqrt(0.5), "paris": 0.0}
    assert bars(app, 1) == pytest.approx(cosines, abs=1e-6)
    assert "*king* is word 2 of 4 in the file, which contains no counts." in plain(app)
    assert "of *king*, 1 is in both lists: *queen*" in plain(app)


def test_own_vectors_may_be_called_like_a_column(toy_page: Page) -> None:
    assert toy_page
    own = WordVectors.of("word", ("king", "queen", "jazz"), np.array([[1, 0], [3, 4], [0, 1]], dtype=np.float32))
    app = opened("Words")
    app.session_state["tab contents"] = {"own vectors": {"word": own}}
    app.query_params["run"], app.query_params["word"] = "word", "king"
    app.run()
    rows = app.dataframe[0].value
    assert rows["Word"].tolist() == ["queen", "jazz"]
    assert rows["Cosine, word"].tolist() == pytest.approx([0.6, 0.0], abs=1e-6)


def test_what_each_model_was_fitted_to_stands_there_once(page: Page) -> None:
    app = page("Words", run=["enwiki-cbow", "enwiki-svd", "enwiki-cbow"], epoch="all")
    told = [one.value for one in app.latex]
    for name in ("cbow", "ppmi-svd"):
        assert sum(word_models()[name].formula in one for one in told) == 1
