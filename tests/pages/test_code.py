"""Show me the code: what stands under a figure is run, and gives the numbers of the figure's CSV."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.conftest import Page, figure, numbers

HOSTILE = "\"\"\"'''); raise SystemExit('typed') #\\ $text {run} not bad"
STATES: list[tuple[str, int, dict[str, Any]]] = [
    ("One review", 3, {"view": "saliency"}),
    ("One review", 2, {"view": "saliency", "run": "newsgroups-cnn", "epoch": ["0", "9"], "method": "saliency"}),
    ("One review", 2, {"view": "n-grams"}),
    ("One review", 3, {"view": "n-grams", "epoch": ["0", "7"], "size": "2", "rank": "norm"}),
    ("One review", 6, {"view": "attention", "epoch": ["0", "11"], "text": "not-bad"}),
    ("One review", 8, {"view": "attention", "run": "imdb-transformer", "layer": "1", "head": "2", "text": "not-bad"}),
    ("What it learnt", 2, {"view": "top-n-grams"}),
    ("What it learnt", 2, {"view": "top-n-grams", "run": "newsgroups-cnn", "size": "1", "support": "10"}),
    ("What it learnt", 3, {"view": "filters"}),
    ("What it learnt", 4, {"view": "filters", "epoch": ["0", "7"], "size": "3"}),
    ("What it learnt", 3, {"view": "filters", "run": "newsgroups-cnn"}),
    ("Explore", 2, {"view": "map"}),
    ("Explore", 2, {"view": "map", "map": "tsne", "dimensions": "3", "fit": "alone", "epoch": ["1", "7"]}),
    ("Word by word", 5, {"view": "memory", "text": "not-bad"}),
    ("Word by word", 5, {"view": "memory", "text": "not-bad", "memory": "score", "run": "imdb-elman", "epoch": "9"}),
    (
        "Word by word",
        6,
        {"view": "memory", "text": "not-bad", "run": "wikitext2-lstm", "start": "along", "rate": "0.1"},
    ),
    ("Language models", 1, {"view": "surprisal"}),
    ("Language models", 1, {"view": "surprisal", "run": "wikitext2-lstm", "epoch": ["0", "11"]}),
    ("Models", 1, {"view": "training"}),
    ("Words", 2, {"view": "neighbours"}),
    ("Words", 1, {"view": "neighbours", "run": "enwiki-cbow", "vectors": "output", "band": "common", "word": "king"}),
    ("Words", 4, {"view": "analogies"}),
    ("Words", 4, {"view": "analogies", "method": "3CosMul", "analogy": "paris - france + italy"}),
    ("Words", 1, {"view": "similarity"}),
    ("Words", 1, {"view": "axes", "run": "enwiki-skipgram", "epoch": ["0", "10"]}),
    ("Explore", 1, {"view": "table"}),
    ("Explore", 4, {"view": "training-dynamics", "part": "test"}),
    ("Explore", 5, {"view": "training-dynamics", "listed": "ambiguous"}),
    ("Explore", 5, {"view": "training-dynamics", "part": "test", "loop": "0.1,0.2 0.3,0.2 0.3,0.7 0.1,0.7"}),
    ("What it learnt", 1, {"view": "linear-weights", "run": "newsgroups-ngrams", "class": "sci.space"}),
    ("What it learnt", 2, {"view": "calibration", "run": "newsgroups-cnn", "epoch": "2"}),
    ("What it learnt", 2, {"view": "linear-weights", "size": "2"}),
    ("What it learnt", 2, {"view": "calibration"}),
    ("Trees", 2, {"view": "one-sentence"}),
    ("Trees", 1, {"view": "accuracy"}),
    ("One review", 7, {"view": "time-machine", "run": "imdb-elman", "beside": "imdb-lstm"}),
    ("One review", 4, {"view": "time-machine", "text": "not-bad", "pinned": "3", "method": "saliency"}),
    ("Word by word", 4, {"view": "gates", "text": "not-bad", "epoch": ["0", "13"]}),
    ("Word by word", 4, {"view": "gates", "text": "not-bad", "run": "imdb-qrnn", "unit": "7", "beside": "imdb-lstm"}),
    ("Word by word", 4, {"view": "gates", "text": "not-bad", "run": "wikitext2-lstm"}),
    ("Word by word", 6, {"view": "states", "text": "not-bad"}),
    (
        "Word by word",
        6,
        {
            "view": "states",
            "text": "not-bad",
            "run": "imdb-lstm",
            "epoch": ["0", "14"],
            "plane": "score",
            "input": "zero",
            "modifier": "film",
        },
    ),
    ("Word by word", 2, {"view": "states", "text": "not-bad", "run": "wikitext2-lstm"}),
    ("Word by word", 5, {"view": "units", "text": "not-bad"}),
    (
        "Word by word",
        5,
        {"view": "units", "text": "not-bad", "run": "imdb-lstm", "epoch": ["0", "14"], "feature": "sentiment"},
    ),
    ("Word by word", 4, {"view": "units", "text": "not-bad", "run": "wikitext2-lstm"}),
    ("Toy tasks", 2, {"view": "curves"}),
    ("Toy tasks", 3, {"view": "tape"}),
    ("Toy tasks", 3, {"view": "tape", "tape_task": "associative-recall", "sequence": "2", "step": "5"}),
    ("Training", 3, {"view": "real-loss"}),
    ("Training", 1, {"view": "learning-rate"}),
    ("Training", 3, {"view": "learning-rate", "rates": "schedules"}),
    ("Training", 2, {"view": "learning-rate", "rates": "stopping", "patience": "5"}),
    ("Training", 1, {"view": "babysitting"}),
    ("Training", 3, {"view": "choices"}),
    ("Training", 3, {"view": "choices", "kind": "activation"}),
    ("Translate", 10, {"view": "alignment"}),
    ("Translate", 5, {"view": "bleu"}),
    ("Language models", 4, {"view": "network-vs-n-grams"}),
    ("Language models", 5, {"view": "next-word"}),
    ("Language models", 1, {"view": "word-order"}),
    ("Language models", 3, {"view": "perplexity"}),
    ("Codes", 3, {"view": "map"}),
    ("Codes", 2, {"view": "code"}),
    ("Codes", 1, {"view": "walk"}),
    ("Codes", 2, {"view": "topics"}),
    ("Codes", 1, {"view": "collapse"}),
    ("Models", 2, {"view": "compare"}),
    ("Explore", 1, {"view": "drift", "run": "imdb-lstm"}),
    ("Explore", 1, {"view": "disagreement"}),
    ("Explore", 1, {"view": "disagreement", "what": "epochs"}),
    ("One review", 2, {"view": "influence", "target": "negative"}),
    ("What it learnt", 2, {"view": "methods", "measure": "wins"}),
    ("What it learnt", 2, {"view": "methods", "run": "imdb-gru"}),
    ("What it learnt", 1, {"view": "retrained-without"}),
    ("One review", 3, {"view": "methods-compared", "text": "not-bad"}),
    ("What it learnt", 1, {"view": "behaviours", "run": "imdb-lstm", "beside": "imdb-ngrams"}),
    ("Translate", 1, {"view": "beam"}),
    ("Language models", 2, {"view": "sampling"}),
    ("Language models", 2, {"view": "sampling", "run": "wikitext2-lstm", "top_k": "20", "seed": "3"}),
    ("Trees", 2, {"view": "negation-and-contrast"}),
    ("Training", 1, {"view": "optimisers"}),
    ("Training", 1, {"view": "optimisers", "surface": "beale", "eta": "0.01", "noise": "0.1"}),
    ("Training", 1, {"view": "backpropagation"}),
    ("Words", 1, {"view": "map"}),
    ("Words", 1, {"view": "map", "map": "pca", "words": "200", "dimensions": "3", "epoch": ["0", "1"]}),
    ("Captions", 2, {"view": "scenes", "beside": "scenes-soft"}),
    ("Explore", 2, {"view": "inferred", "times": "5"}),
    ("One review", 2, {"view": "edit", "text": "not-bad", "edits": "swap-1-good"}),
    ("Translate", 1, {"view": "sentences"}),
]


def coded(app: AppTest) -> list[dict[str, Any]]:
    """Return the figures of a page that offer code."""
    found = []
    for position in range(99):
        try:
            found.append(figure(app, position))
        except IndexError:
            break
    return [one for one in found if "code" in one]


def ran(code: str) -> pd.DataFrame:
    """Return the table that a snippet leaves."""
    left: dict[str, Any] = {"print": lambda *_: None}
    exec(compile(code, "snippet", "exec"), left)
    return left["table"]


def assert_is_a_column(values: pd.Series, payload: dict[str, Any]) -> None:
    """Fail unless a column of a snippet's table is one of the figure's CSV."""
    columns = [numbers(one["column"]) if isinstance(one["column"], dict) else one["column"] for one in payload["table"]]
    if values.dtype.kind in "iuf":
        same = [
            one.shape == values.shape and np.allclose(one, values.to_numpy(), rtol=1e-4, atol=1e-5, equal_nan=True)
            for one in columns
            if isinstance(one, np.ndarray) or all(isinstance(item, int | float | None) for item in one)
            for one in [np.asarray(one, dtype=float)]
        ]
    else:
        same = [list(one) == values.tolist() for one in columns]
    assert any(same), f"{values.name} is no column of {[one['heading'] for one in payload['table']]}"


def assert_gives_the_numbers(payload: dict[str, Any]) -> None:
    """Fail unless a figure's code leaves rows with numbers, each of whose columns is one of the figure's CSV."""
    table = ran(payload["code"])
    assert len(table)
    assert any(values.dtype.kind == "f" for _, values in table.items())
    for name in table:
        assert_is_a_column(table[name], payload)


@pytest.mark.parametrize(
    ("where", "count", "address"), STATES, ids=[f"{one[2]['view']}-{len(one[2])}-{i}" for i, one in enumerate(STATES)]
)
def test_code_gives_the_numbers_of_its_figure(page: Page, where: str, count: int, address: dict[str, Any]) -> None:
    app = page(where, **address)
    assert not app.exception
    assert not app.warning
    offered = coded(app)
    assert len(offered) == count
    for payload in offered:
        assert_gives_the_numbers(payload)


@pytest.mark.parametrize(
    ("address", "asked", "count"),
    [
        ({"view": "saliency"}, "randomise", 4),
        ({"view": "saliency", "method": "saliency", "epoch": ["0", "7"], "target": "negative"}, "randomise", 4),
        ({"view": "methods-compared", "text": "not-bad"}, "stability", 4),
        ({"view": "methods-compared", "text": "not-bad", "epoch": "0"}, "stability", 4),
    ],
)
def test_what_is_computed_when_asked_for_has_code_too(
    page: Page, address: dict[str, Any], asked: str, count: int
) -> None:
    app = page("One review", **address)
    app.toggle(key=asked).set_value(True).run()
    assert not app.exception
    offered = coded(app)
    assert len(offered) == count
    for payload in offered:
        assert_gives_the_numbers(payload)


def test_the_overview_has_code(page: Page) -> None:
    offered = coded(page("Overview"))
    assert offered
    for payload in offered:
        assert_gives_the_numbers(payload)


@pytest.mark.parametrize(
    ("where", "view", "key", "beside"),
    [
        ("One review", "saliency", "text", ""),
        ("One review", "time-machine", "text", ""),
        ("Word by word", "gates", "text", ""),
        ("Word by word", "memory", "text", ""),
        ("Word by word", "states", "text", ""),
        ("Word by word", "units", "text", ""),
        ("One review", "methods-compared", "text", ""),
        ("One review", "attention", "text", ""),
        ("One review", "n-grams", "text", ""),
        ("Language models", "next-word", "text", ""),
        ("What it learnt", "linear-weights", "text", ""),
        ("One review", "edit", "text", ""),
        ("One review", "influence", "text", ""),
        ("Explore", "inferred", "text", ""),
        ("Language models", "sampling", "text", ""),
        ("Translate", "beam", "source_sentence", ""),
        ("Translate", "sentences", "phrases", "\nA man sleeps\nA dog runs"),
    ],
)
def test_a_typed_text_is_a_literal(page: Page, where: str, view: str, key: str, beside: str) -> None:
    app = page(where, view=view)
    app.text_area(key=key).set_value(HOSTILE + beside).run()
    assert not app.exception
    offered = coded(app)
    assert any(repr(HOSTILE) in payload["code"] for payload in offered)
    for payload in offered:
        assert "SystemExit" not in payload["code"].replace(repr(HOSTILE), "")
        table = ran(payload["code"])
        for name in table:
            assert_is_a_column(table[name], payload)


@pytest.mark.parametrize(
    ("name", "address"),
    [
        ("One review", {"view": "saliency", "show": "matrix"}),
        ("One review", {"view": "n-grams", "training": "never"}),
        ("What it learnt", {"view": "top-n-grams", "training": "never"}),
        ("Explore", {"view": "map", "beside": "imdb-cnn-seed-1"}),
        ("Words", {"view": "neighbours", "vectors": "input-output"}),
    ],
)
def test_where_no_few_lines_give_the_numbers_there_is_no_code(page: Page, name: str, address: dict[str, str]) -> None:
    assert "code" not in figure(page(name, **address)), "the view's own figure, the first"
