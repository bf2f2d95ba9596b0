"""The view of rationales: a file's rows are told, methods stand beside chance, and an odd file costs a sentence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from nlpviz.analysis.attribution import methods_for
from nlpviz.analysis.attribution.rationales import compare
from nlpviz.results.rationales import Marked
from nlpviz.runs import open_run
from tests.pages.conftest import Page, figure, numbers, said

RUN, TEXT = "imdb-cnn", "A dull film, but the acting is wonderful."
GOOD = {"text": TEXT, "label": "positive", "spans": [[31, 40]]}
BAD = {"text": "Nice", "label": "positive", "spans": [[0, 9]]}


def asked(page: Page, folder: Path, *rows: object, **address: str) -> AppTest:
    (folder / "own.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    app = page("Your texts", view="rationales", run=RUN, **address)
    assert "Choose a file to begin" in said(app)
    return app.text_input(key="rationales_path").set_value(str(folder / "own.jsonl")).run()


def test_methods_stand_beside_what_asks_no_network(page: Page, tmp_path: Path) -> None:
    other = GOOD | {"label": "neg", "spans": [[2, 6]]}
    app = asked(page, tmp_path, GOOD, BAD, other, GOOD | {"label": "sad"})
    assert not app.exception
    words = said(app)
    assert (
        "3 of 4 rows used. Excluded: row 2 marks characters 0 to 9, but a span must be non-empty and lie within "
        "the 4 characters." in words
    )
    assert "Not compared: row 4 has the label 'sad'" in words
    run = open_run(RUN)
    names = [name for name, method in methods_for(run).items() if method.surveyed]
    texts = [Marked(1, TEXT, "positive", ((31, 40),)), Marked(3, TEXT, "neg", ((2, 6),))]
    found = compare(run.load(), texts, names, "own.jsonl")
    drawn = figure(app)["figure"]["data"]
    assert [len(numbers(trace["x"])) for trace in drawn] == [len(names), 3]
    assert numbers(drawn[1]["x"]).max() == pytest.approx(found.of("log-count-ratio").mean)
    assert "average precision" in words
    assert "dull" not in str(app.query_params)


@pytest.mark.parametrize("rows", [(), ({"a": 1},), (BAD,), (GOOD | {"label": "sad"},)])
def test_a_file_that_gives_nothing_gets_a_sentence(page: Page, tmp_path: Path, rows: tuple[object, ...]) -> None:
    app = asked(page, tmp_path, *rows)
    assert not app.exception
    assert len(app.error) == 1
    assert "own.jsonl" in app.error[0].value.replace("\\", "")
    assert str(tmp_path) not in app.error[0].value
