"""The network at work on one text: the numbers that the schematic slides over are the network's own."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from nlpviz.analysis.inspection.forward import forward_pass
from nlpviz.data.examples import examples
from nlpviz.figures.numbers import number
from nlpviz.runs import open_run
from tests.pages.conftest import Page, shown


def schematic(app: AppTest) -> dict[str, Any]:
    """Return what the browser gets of the schematic."""
    payloads = [json.loads(element.proto.json) for element in app.get("bidi_component")]
    return next(payload for payload in payloads if "cells" in payload)


def test_the_schematic_has_the_numbers_of_the_text(page: Page) -> None:
    app = page("One review", view="network")
    assert not app.exception
    run = open_run("imdb-cnn")
    result = forward_pass(run.load(run.best_epoch), examples()[0].text, target=1)
    drawn = schematic(app)
    assert [one["id"] for one in drawn["filters"]] == [one.id for one in result.filters]
    for own, one in zip(drawn["filters"], result.filters, strict=True):
        assert own["answers"] == pytest.approx(one.answers.tolist(), abs=1e-3)
        assert own["start"] == int(np.argmax(own["answers"]))
    said = shown(app).replace("\\", "")
    assert f"CNN on IMDB: **positive**, {result.probability:.0%}." in said
    terms = [result.class_score, sum(one.amount for one in result.filters), result.rest, result.bias]
    score, *parts = (f"{abs(one):.2f}" for one in terms)
    assert [part in said for part in (score, *parts)] == [True] * 4


def test_the_bold_class_is_the_predicted_one_whichever_is_explained(page: Page) -> None:
    app = page("One review", view="network", epoch="0", target="positive")
    result = forward_pass(open_run("imdb-cnn").load(0), examples()[0].text, target=1)
    predicted, share = (
        ("positive", result.probability) if result.probability > 0.5 else ("negative", 1 - result.probability)
    )
    assert f"CNN on IMDB, epoch 0: **{predicted}**, {share:.0%}." in shown(app).replace("\\", "")


def test_the_table_has_the_filters_of_the_schematic(page: Page) -> None:
    app = page("One review", view="network")
    result = forward_pass(open_run("imdb-cnn").load(open_run("imdb-cnn").best_epoch), examples()[0].text, target=1)
    (table,) = app.table
    assert table.value["Filter"].tolist() == [str(one.id) for one in result.filters]


def test_another_epoch_and_class_are_other_numbers(page: Page) -> None:
    best = schematic(page("One review", view="network"))
    other = schematic(page("One review", view="network", epoch="0"))
    assert best["stamp"] != other["stamp"]
    assert best["filters"] != other["filters"]
    against = schematic(page("One review", view="network", target="negative"))
    assert against["filters"][0]["amount"] == pytest.approx(-best["filters"][0]["amount"], abs=1e-5)


def test_the_prediction_is_bold_whatever_the_class_of_the_score(page: Page) -> None:
    run, text = open_run("imdb-cnn"), "Not bad, quite good."
    trained = run.load(run.best_epoch)
    share = forward_pass(trained, text, target=1).probability
    label, own = ("positive", share) if share > 0.5 else ("negative", 1 - share)
    for target in run.class_names:
        app = page("One review", view="network", target=target)
        app = app.text_area(key="text").set_value(text).run()
        said = shown(app).replace("\\", "")
        assert f"CNN on IMDB: **{label}**, {own:.0%}. Score for {target}: " in said
        shown_sum = re.search(r"= ([+−]?[\d.]+) from the \d+ filters shown ([+−]) ([\d.]+) from the other", said)
        assert shown_sum is not None
        result = forward_pass(trained, text, target=run.class_names.index(target))
        assert shown_sum[1] == number(sum(one.amount for one in result.filters))
        assert (shown_sum[2] == "−") is (result.rest < 0)
        assert float(shown_sum[3]) == pytest.approx(abs(result.rest), abs=0.006)


def test_a_text_without_a_word_has_nothing_to_slide_over(page: Page) -> None:
    app = page("One review", view="network")
    app.text_area(key="text").set_value("   ").run()
    assert not app.exception
    assert "The text has no words" in shown(app)
    assert not app.table


def test_a_run_without_regions_is_listed_with_the_reason(page: Page) -> None:
    app = page("One review", view="network")
    assert [title for title in app.selectbox(key="run").options if "HAN" in title] == [
        "HAN on IMDB (no convolution filters)"
    ]
    app.selectbox(key="run").set_value("imdb-han").run()
    assert not app.exception
    assert "HAN on IMDB cannot be shown here (no convolution filters)." in shown(app)
    assert not app.table
