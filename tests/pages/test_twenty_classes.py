"""The pages of classifiers with a network of twenty classes, whose corpus has posts and no ratings."""

from __future__ import annotations

import numpy as np
import pytest

from nlpviz.analysis.inspection.regions import predictive_regions
from nlpviz.data.examples import examples
from nlpviz.runs import open_run
from nlpviz.runs.documents import documents_of, probabilities_of
from nlpviz.runs.surveys import filters, top_ngrams
from tests.pages.conftest import Page, figure, numbers, said

RUN = open_run("newsgroups-cnn")
EXAMPLE = examples("newsgroups")[0]
HOCKEY = RUN.class_names.index("rec.sport.hockey")


@pytest.mark.parametrize(
    ("name", "view"),
    [
        ("Explore", "map"),
        ("Explore", "table"),
        ("One review", "saliency"),
        ("One review", "n-grams"),
        ("One review", "network"),
        ("Inside the model", "top-n-grams"),
        ("Inside the model", "filters"),
        ("Models", "card"),
        ("Models", "training"),
        ("Models", "compare"),
    ],
)
def test_every_view_is_drawn_and_speaks_of_no_reviews_or_ratings(page: Page, name: str, view: str) -> None:
    app = page(name, view=view, run=RUN.name)
    assert not app.exception
    assert not app.error
    if name != "Models":  # where film reviews stand beside
        assert "review" not in said(app).replace("One review", "")  # the page's name
        assert "rating" not in said(app).replace("operating", "")


def test_the_map_names_the_classes_or_shows_one_against_the_rest(page: Page) -> None:
    first = figure(page("Explore", run=RUN.name))["figure"]
    notes = [note for note in first["layout"]["annotations"] if note.get("xref") == "x"]
    wide = [note["text"] for note in notes if note.get("name") != "where narrow"]
    narrow = [note["text"] for note in notes if note.get("name") != "where wide"]
    assert len(narrow) < len(wide)
    assert len(wide) == len(set(wide)) == 20, "a line leads to those that have no room where they lie"
    assert "<b>hockey</b>" in wide
    assert first["layout"]["showlegend"] is False
    app = page("Explore", run=RUN.name, **{"class": "rec.sport.hockey"})
    drawn = {trace["name"]: trace["customdata"] for trace in figure(app)["figure"]["data"] if trace.get("customdata")}
    assert {name: len(ids) for name, ids in drawn.items()} == {"other classes": 1900, "rec.sport.hockey": 100}
    assert set(app.selectbox(key="color").options) == {"label", "probability", "correctness", "length"}


def test_the_table_counts_confusions(page: Page) -> None:
    app = page("Explore", view="table", run=RUN.name)
    wrong = probabilities_of(RUN, RUN.best_epoch).argmax(axis=1) != documents_of(RUN).labels
    assert f"At epoch {RUN.best_epoch}, {wrong.sum()} of 2,000 test posts" in said(app)
    assert "Most often confused: " in said(app)
    shown = app.dataframe[0].value
    assert len(shown) == wrong.sum()
    assert (shown["Label"] != shown[f"Predicted, epoch {RUN.best_epoch}"]).all()
    cells = np.array(figure(app)["figure"]["data"][0]["customdata"]["bdata"] != "")
    assert cells


def test_a_document_is_shown_with_its_predicted_class(page: Page) -> None:
    position = 7
    name = documents_of(RUN).ids[position]
    answers = probabilities_of(RUN, RUN.best_epoch)[position]
    app = page("Explore", run=RUN.name, text=name)
    words = said(app)
    assert f"its label is {RUN.class_names[documents_of(RUN).labels[position]]}" in words
    assert f"predicts **{RUN.class_names[answers.argmax()]}**" in words
    assert f"{answers.max():.0%} at epoch {RUN.best_epoch}" in words


@pytest.mark.parametrize("view", ["saliency", "n-grams", "network"])
def test_a_text_is_explained_for_its_predicted_class_or_a_chosen_one(page: Page, view: str) -> None:
    result = predictive_regions(RUN.load(), EXAMPLE.text)
    assert RUN.class_names[result.predicted] == EXAMPLE.label
    assert EXAMPLE.label in said(page("One review", view=view, run=RUN.name))
    other = page("One review", view=view, run=RUN.name, target="rec.sport.hockey")
    assert "rec.sport.hockey" in said(other)
    assert not other.exception


def test_top_ngrams_and_filters_are_those_of_the_chosen_class(page: Page) -> None:
    app = page("Inside the model", run=RUN.name, **{"class": "rec.sport.hockey"})
    rows = {row.ngram for row in top_ngrams(RUN, RUN.best_epoch, HOCKEY)}
    drawn = [trace for trace in figure(app)["figure"]["data"] if trace.get("customdata")]
    assert {key.partition(" ")[2] for trace in drawn for key in trace["customdata"]} <= rows
    app = page("Inside the model", view="filters", run=RUN.name, **{"class": "rec.sport.hockey"})
    weights = sorted(one.weight for one in filters(RUN, RUN.best_epoch, HOCKEY))
    marks = np.concatenate([numbers(trace["x"]) for trace in figure(app)["figure"]["data"] if trace.get("customdata")])
    np.testing.assert_allclose(np.sort(marks), weights, rtol=1e-5)


def test_no_number_of_twenty_classes_is_called_log_odds(page: Page) -> None:
    app = page("Inside the model", run=RUN.name, **{"class": "rec.sport.hockey"})
    assert "to the score of rec.sport.hockey, logit" in figure(app)["caption"]
    for view in ("saliency", "n-grams", "network"):
        assert "log-odds" not in said(page("One review", view=view, run=RUN.name, method="gradient-input"))


@pytest.mark.parametrize("view", ["saliency", "n-grams", "network"])
def test_the_likeliest_classes_of_the_text_stand_first(page: Page, view: str) -> None:
    shares = predictive_regions(RUN.load(), EXAMPLE.text).probabilities
    options = page("One review", view=view, run=RUN.name).selectbox(key="target").options
    ranked = [RUN.class_names[position] for position in np.argsort(-shares, kind="stable")]
    assert [option.partition(" · ")[0] for option in options] == ["predicted", *ranked]
    assert options[0] == f"predicted · {ranked[0]}"
    assert options[1] == f"{ranked[0]} · {shares.max():.1%}"
