"""The view of a bag of n-grams: its largest weights, and a text whose n-grams add up to what the classifier answers."""

from __future__ import annotations

import csv

import numpy as np
import pytest

from nlpviz.figures.numbers import percent
from nlpviz.runs import open_run
from nlpviz.runs.counts import NGRAMS, read_strongest
from nlpviz.runs.ngram_weights import read_weights
from tests.pages.conftest import Page, figure, numbers, opened, said, shown

PAGE = {"name": "Inside the model", "view": "linear-weights"}
TEXT = "not bad at all, a wonderful film"


def test_the_bars_are_the_largest_weights_of_the_file(page: Page) -> None:
    drawn = figure(page(**PAGE, run="imdb-ngrams", size="2"))["figure"]["data"][0]
    with open_run("imdb-ngrams").file(NGRAMS).open(encoding="utf-8", newline="") as stream:
        rows = {row["ngram"]: float(row["weight"]) for row in csv.DictReader(stream)}
    bigrams = {ngram: weight for ngram, weight in rows.items() if ngram.count(" ") == 1}
    bars = dict(zip(drawn["customdata"], numbers(drawn["x"]), strict=True))
    assert len(bars) == 28
    assert bars == pytest.approx({ngram: bigrams[ngram] for ngram in bars}, rel=1e-5)
    assert max(bars.values()) == pytest.approx(max(bigrams.values()), rel=1e-5)
    assert min(bars.values()) == pytest.approx(min(bigrams.values()), rel=1e-5)


def test_a_text_adds_up_to_what_the_classifier_says(page: Page) -> None:
    del page  # it sets the machine
    app = opened("Inside the model", view="linear-weights", run="imdb-ngrams", text="own")
    app.session_state["typed texts"] = {"review": [TEXT]}
    app.run()
    assert not app.exception
    known = read_weights(open_run("imdb-ngrams"))
    assert f"positive: **{percent(float(known.probabilities([TEXT])[0, 1]))}**" in said(app)
    table = {column["heading"]: column["column"] for column in figure(app, 1)["table"]}
    added = float(np.sum(numbers(table["log-odds"]))) + float(known.biases[0])
    assert added == pytest.approx(float(known.weigh(TEXT).scores[0]), abs=1e-4)


def test_of_twenty_classes_the_chosen_one_is_shown(page: Page) -> None:
    app = page(**PAGE, run="newsgroups-ngrams", **{"class": "sci.space"})
    first = read_strongest(open_run("newsgroups-ngrams"))["sci.space"][0]
    assert f"“{first.ngram}” counts most for sci\\.space" in shown(app)
    assert "survey newsgroups-ngrams" in shown(app)


@pytest.mark.parametrize("words", ["zzqx", "<b>"])
def test_words_that_are_in_none_get_a_sentence(page: Page, words: str) -> None:
    del page
    app = opened("Inside the model", view="linear-weights", run="imdb-ngrams")
    app.session_state["linear_words"] = words
    app.run()
    assert not app.exception
    assert any("strongest n-grams match" in one.value for one in app.info)
