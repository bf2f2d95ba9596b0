"""Ratings in reviews: left out of the top n-grams where a visitor wants that, and what they are worth is said."""

from __future__ import annotations

import re

import pytest
from streamlit.testing.v1 import AppTest

from nlpviz.figures.regions.bars import rank_regions
from nlpviz.runs import open_run
from nlpviz.runs.predictions import RATINGS_MASKED
from nlpviz.runs.surveys import top_ngrams
from nlpviz.runs.without_ratings import without_ratings
from tests.pages.conftest import Page, figure, shown

RUN = open_run("imdb-cnn")
ROWS = {f"{row.size} {row.ngram}": row for row in top_ngrams(RUN, RUN.best_epoch)}
PAGE = "Inside the model"


def drawn(app: AppTest) -> list[str]:
    return list(figure(app)["figure"]["data"][0]["customdata"])


def test_ratings_are_among_the_top_ngrams_and_can_be_left_out(page: Page) -> None:
    app = page(PAGE, order="mean")
    assert any(ROWS[key].of_rating for key in drawn(app))
    assert "excluded" not in shown(app)
    app.selectbox(key="ratings").set_value("exclude").run()
    assert not app.exception
    assert not any(ROWS[key].of_rating for key in drawn(app))
    assert "exclude" in app.query_params["ratings"]
    count = sum(row.of_rating and row.support >= 30 for row in ROWS.values())
    assert f"{count} n-grams excluded" in shown(app)


def test_what_ratings_are_worth_is_said_with_its_interval(page: Page) -> None:
    app = page(PAGE)
    said = shown(app).replace("\\", "")  # numbers are escaped
    metrics = RUN.metrics[RATINGS_MASKED]
    assert f"{RUN.title} sees an explicit rating in {metrics['rated']:,.0f} of 25,000 test reviews" in said
    assert f"**{metrics['accuracy']:.2%}** rather than {RUN.metrics['test']['accuracy']:.2%}" in said
    table = dict(app.dataframe[-1].value.itertuples(index=False))
    assert re.fullmatch(r"−\d\.\d\d to −\d\.\d\d", table["95% interval (paired test), percentage points"])


def test_reviews_whose_prediction_depends_on_a_rating_are_counted(page: Page) -> None:
    found = without_ratings(RUN)
    said = shown(page("Explore", view="table")).replace("\\", "")
    assert f"{found.rated.sum():,} of {len(found.ids):,} reviews contain a rating" in said
    assert f"changes the predicted class of **{found.turned.sum():,}**" in said


@pytest.mark.parametrize("ratings", [True, False])
def test_regions_of_a_text_without_its_rating(ratings: bool) -> None:
    from nlpviz.analysis.inspection.regions import predictive_regions

    result = predictive_regions(RUN.load(), "A dull film . 2 out of 10 . Loved the dog", 1)
    ranked = rank_regions(result, "contribution", ratings=ratings)
    words = {word for region in ranked.regions for word in region.words}
    assert ("10" in words) == ratings
    assert "dull" in words
    everything = [region for region in result.regions if region.won]
    assert ranked.left_out == (0 if ratings else len(everything) - len(ranked.regions))
    assert all(not {"2", "out", "10"} & set(region.words) for region in ranked.regions) or ratings
