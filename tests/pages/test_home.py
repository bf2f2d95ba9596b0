"""The Overview: a review to type, the map that forms beside it, four pictures that are true, the tours, the models."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qs

import pytest
from streamlit.testing.v1 import AppTest

import app as overview
from nlpviz.analysis.attribution import explain, ranking
from nlpviz.data.examples import examples
from nlpviz.figures.tokens import token_html
from nlpviz.runs import Run, list_runs, open_run
from nlpviz.runs.documents import projections_of
from nlpviz.runs.sharing import copied
from nlpviz.runs.surveys import top_ngrams
from nlpviz.runs.vectors import read_vectors
from nlpviz.ui.overview import own_review
from nlpviz.ui.tour_stories import tours
from nlpviz.word_vectors.analogies import solve
from nlpviz.word_vectors.expressions import parse
from tests import kinds as toy_kinds
from tests.pages.conftest import Page, figure, shown

RUN = open_run("imdb-cnn")
FIRST = next(one for one in examples() if one.id == "waste-of-time")
OWN = "I feared the worst & <b>loved</b> it."


def links(app: AppTest) -> dict[str, dict[str, list[str]]]:
    """Return what the page's links ask for, by their labels."""
    return {one.proto.label.replace("\\", ""): parse_qs(one.proto.query_string) for one in app.get("page_link")}


def verdicts(app: AppTest) -> list[str]:
    """Return the predictions in large type, as plain text, an epoch after the other."""
    found = [
        one.proto.body
        for one in app.get("html")
        if "nlpviz-verdict" in one.proto.body and "data-moment" in one.proto.body
    ]
    return [re.sub("<[^>]*>", " ", one) for one in re.findall('<p class="nlpviz-verdict".*?</p>', found[0])]


def typed(app: AppTest, text: str) -> AppTest:
    """Return the page after a text was typed into its box."""
    return app.text_area(key="home_text").set_value(text).run()


# ------------------------------------------------------------------------------------------------------ first screen


def test_the_first_visitor_sees_the_map_before_the_network_is_there(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[str, str]] = []
    for part in ("_show_map", "_show_words"):
        show = getattr(own_review, part)

        def noting(run: Run, text: str, part: str = part, show: Callable[[Run, str], None] = show) -> None:
            seen.append((part, text))
            show(run, text)

        monkeypatch.setattr(own_review, part, noting)
    monkeypatch.setattr(own_review, "_ASKED", set())
    app = page("Overview")
    whole = [("_show_words", FIRST.text), ("_show_map", FIRST.text)]
    assert not app.exception
    assert seen == [("_show_map", ""), whole[0], *whole]
    assert any(trace.get("name") == "your review" for trace in figure(app)["figure"]["data"])
    seen.clear()
    app.run()
    assert seen == whole


def test_the_first_visitor_is_told_of_a_wrong_address(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_review, "_ASKED", set())
    (said,) = page("Overview", text="nonsense").warning
    assert said.value.startswith("The link sets text to nonsense")


def test_the_first_screen_says_what_it_is_in_twelve_words() -> None:
    title, _, lead = (overview.__doc__ or "").strip().partition("\n")
    assert len(title.split()) == 12
    assert max(len(one.split()) for one in lead.split(".")) <= 15


def test_the_phrase_of_the_title_is_one_that_the_network_found() -> None:
    """Before training the n-gram says nothing; at the best epoch it speaks against the review, in hundreds of them."""
    assert "“waste of time”" in (overview.__doc__ or "")
    before, best = (
        next(one for one in top_ngrams(RUN, epoch) if one.ngram == "waste of time") for epoch in (0, RUN.best_epoch)
    )
    assert abs(before.contribution) < 0.01
    assert best.contribution < -0.2
    assert best.support > 300
    assert best.precision > 0.9


def test_an_example_that_has_the_phrase_is_read_first_at_every_epoch(page: Page) -> None:
    app = page("Overview")
    assert not app.exception
    assert "waste of time" in FIRST.text
    assert app.text_area(key="home_text").value == FIRST.text
    found = verdicts(app)
    assert len(found) == len(RUN.epochs)
    assert "before training" in found[0]
    assert FIRST.label in found[-1]
    result = explain(RUN.load(), FIRST.text, ranking.default(RUN), 1)
    assert f"{result.probabilities[0]:.0%}" in found[-1]
    assert {"waste", "wooden"} <= {result.encoded.read[one].word for one in result.strongest(3)}


def test_what_is_typed_is_coloured_and_placed_and_the_same_text_on_the_page_that_follows(page: Page) -> None:
    app = typed(page("Overview"), OWN)
    assert not app.exception
    result = explain(RUN.load(), OWN, ranking.default(RUN), 1)
    (html,) = [one.proto.body for one in app.get("html") if "data-moment" in one.proto.body]
    scale = max(abs(explain(RUN.load(one), OWN, result.method, 1).scores).max() for one in RUN.epochs)
    assert token_html(result, float(scale)) in html
    assert "<b>loved" not in html
    marks = [trace for trace in figure(app)["figure"]["data"] if trace.get("name") == "your review"]
    assert len(marks) == 1
    asked = links(app)["Explain this prediction"]
    assert asked == {"view": ["saliency"], "run": [RUN.name], "text": ["own"]}
    assert OWN not in str(app.query_params)
    app.switch_page("pages/20_One_review.py")
    app.query_params["view"] = "saliency"
    app.query_params["text"] = "own"
    app.run()
    assert app.text_area[0].value == OWN


def test_an_example_takes_the_place_of_what_was_typed(page: Page) -> None:
    app = typed(page("Overview"), OWN)
    app.button_group(key="home_example").set_value("bravo").run()
    chosen = next(one for one in examples() if one.id == "bravo")
    assert app.text_area(key="home_text").value == chosen.text
    assert links(app)["Explain this prediction"]["text"] == ["bravo"]


@pytest.mark.parametrize("text", ["", " \n", "…", "</textarea><script>", "x" * 3000])
def test_any_text_is_read(page: Page, text: str) -> None:
    app = typed(page("Overview"), text)
    assert not app.exception
    assert len(verdicts(app)) == len(RUN.epochs)


def test_a_link_without_the_typed_text_shows_an_example(page: Page) -> None:
    app = page("Overview", text="own")
    assert app.text_area(key="home_text").value == FIRST.text
    assert "This link does not include the typed text." in shown(app)


# --------------------------------------------------------------------------------------------------------- the map


def test_the_map_names_its_clusters_and_plays_all_epochs_with_the_words(page: Page) -> None:
    app = page("Overview")
    drawn = figure(app)
    assert [frame["value"] for frame in drawn["playback"]["frames"]] == [str(epoch) for epoch in RUN.epochs]
    assert drawn["playback"]["shown"] == str(RUN.best_epoch)
    assert drawn["playback"]["clock"] == "epoch"
    named = " ".join(one["text"] for one in drawn["figure"]["layout"]["annotations"])
    assert "negative reviews" in named
    assert "positive reviews" in named
    assert not drawn["figure"]["layout"]["showlegend"]
    assert "Each point is a film review" in shown(app)


def test_the_axes_hold_every_epoch(page: Page) -> None:
    """What spreads on the map as it plays has spread, and nothing runs out of it."""
    layout = figure(page("Overview"))["figure"]["layout"]
    for one in projections_of(RUN):
        if (one.projector, one.dimensions, one.alone) == ("pca", 2, False):
            for axis, name in enumerate(("xaxis", "yaxis")):
                low, high = layout[name]["range"]
                assert low < one.coordinates[:, axis].min() <= one.coordinates[:, axis].max() < high


# ---------------------------------------------------------------------------------------------------- four pictures


def test_each_picture_leads_to_its_view(page: Page) -> None:
    app = page("Overview")
    assert "waste of time" in figure(app, 1)["alt"]
    assert "chat" in figure(app, 2)["alt"]
    asked = links(app)
    for label, view in (("Which n-grams does the network rely on?", "top-n-grams"),
                        ("What did the network attend to?", "attention"),
                        ("Which source words does each target word attend to?", "alignment"),
                        ("Try your own analogy", "analogies")):  # fmt: skip
        assert asked[label]["view"] == [view]


def test_the_sentences_are_short_and_true(page: Page) -> None:
    said = shown(page("Overview")).replace("\\", "")
    row = min((one for one in top_ngrams(RUN, RUN.best_epoch) if one.size == 3), key=lambda one: one.total)
    for sentence in (
        f"In {row.support} test reviews, “{row.ngram}” lowers the positive score.",
        "HAN on IMDB gives “dreadful” 28% of its attention.",
        "For “rouge”, the network puts 100% of its attention on “red”.",
    ):
        assert sentence in said
        assert len(sentence.split()) <= 15


def test_the_analogy_is_right_with_the_committed_vectors(page: Page) -> None:
    app = page("Overview")
    runs = [run for run in list_runs()[0].values() if run.kind == "word-vectors"]
    best = max(runs, key=lambda run: run.metrics["analogies"]["accuracy"])
    asked = links(app)["Try your own analogy"]
    assert asked["run"] == [best.name]
    vectors = read_vectors(best)
    one = solve(vectors, parse(vectors, *asked["analogy"]), expected=asked["expected"][0])
    assert one.rank == 1
    assert f"is **{one.neighbours[0].word}**." in shown(app)


# ------------------------------------------------------------------------------------------- the tours and the models


def test_every_tour_has_a_line_and_the_models_are_counted_without_a_table(page: Page) -> None:
    app = page("Overview")
    asked = links(app)
    for tour in tours()[0]:
        assert asked[tour.title]["tour"] == [tour.slug]
    assert asked[f"{len(list_runs()[0])} trained models: which is best, and by how much?"]["view"] == ["compare"]
    assert not app.table


# --------------------------------------------------------------------------------- where runs of some kinds are missing


def alone(name: str, folder: Path, page: Page, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    """Return the Overview where one run is the only one."""
    run = open_run(name)
    copied(run, folder / run.name)
    monkeypatch.setenv("NLPVIZ_TRAINED", str(folder))
    app = page("Overview")
    assert not app.exception
    assert not app.error
    return app


def test_words_alone(toy_page: Page) -> None:
    app = toy_page("Overview")
    assert not app.exception
    assert "“man : king :: woman” is **queen**" in shown(app).replace("\\", "")
    assert not app.text_area
    assert not app.info
    assert not app.error


@pytest.mark.parametrize(
    ("name", "said"),
    [("multi30k-en-fr-general", "For “rouge”"), ("multi30k-en-fr-none", "“A small black cat sits")],
)
def test_a_translator_alone(page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, said: str) -> None:
    app = alone(name, tmp_path, page, monkeypatch)
    assert said in shown(app).replace("\\", "")
    assert "The trained model" in links(app)
    assert not app.text_area


def test_a_network_without_regions_looks_for_no_ngrams(
    page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = alone("imdb-han", tmp_path, page, monkeypatch)
    assert "What did the network attend to?" in links(app)
    assert "Which n-grams does the network rely on?" not in links(app)
    assert app.text_area(key="home_text").value == FIRST.text


def test_posts_are_not_called_film_reviews(page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = alone("newsgroups-cnn", tmp_path, page, monkeypatch)
    assert app.text_area(key="home_text").label == "Type or paste a post"
    assert "Each point is a post" in shown(app)
    assert len(app.button_group(key="home_example").options) == 4


def test_an_added_kind_alone(page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "trained"
    monkeypatch.setenv("NLPVIZ_TRAINED", str(folder))
    with toy_kinds.discovered(tmp_path / "modules"):
        toy_kinds.make_runs(folder)
        app = page("Overview")
        assert not app.exception
        assert "2 trained models: which is best, and by how much?" in links(app)
    app = page("Overview")
    assert not app.exception
    assert "which this version does not support" in shown(app), "their kinds are forgotten"
    assert "There is no trained run yet. Run `python -m nlpviz train imdb-cnn` first." in shown(app)
    assert not app.header
