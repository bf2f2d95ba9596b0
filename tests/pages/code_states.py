"""Show me the code: the states of the views in which it is tried, and what must be so of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import count
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np
import pandas as pd
from streamlit.testing.v1 import AppTest

from nlpviz.figures.view import FigureView
from tests.pages.conftest import figure, numbers

TYPED = "\"\"\"'''); raise SystemExit('typed') #\\ $text {run} not bad"


class State(NamedTuple):
    """A view at an address.

    Attributes:
        figures: how many of its figures offer code; None for any number.
        address: what its address says beside the view.
        toggle: the key of what is switched on, if anything.
    """

    figures: int | None
    address: Mapping[str, str | list[str]] = {}
    toggle: str = ""

    @property
    def as_it_opens(self) -> bool:
        """Whether the view is in this state without an address or a click."""
        return not self.address and not self.toggle


class Field(NamedTuple):
    """A field whose text stands in the code, and what must follow the text for the view to answer."""

    key: str
    beside: str = ""


STATES: dict[str, tuple[State, ...]] = {
    "Overview": (State(4),),
    "One review: saliency": (
        State(1),
        State(3, {"trust": "open"}),
        State(2, {"run": "newsgroups-cnn", "epoch": ["0", "9"], "method": "saliency", "trust": "open"}),
        State(4, {"trust": "open"}, toggle="randomise"),
        State(
            4, {"method": "saliency", "epoch": ["0", "7"], "target": "negative", "trust": "open"}, toggle="randomise"
        ),
    ),
    "One review: n-grams": (State(2), State(3, {"epoch": ["0", "7"], "size": "2", "rank": "norm"})),
    "One review: attention": (
        State(6, {"epoch": ["0", "11"], "text": "not-bad"}),
        State(8, {"run": "imdb-transformer", "layer": "1", "head": "2", "text": "not-bad"}),
    ),
    "Inside the model: top-n-grams": (
        State(2),
        State(2, {"run": "newsgroups-cnn", "size": "1", "support": "10", "list": "short"}),
    ),
    "Inside the model: filters": (
        State(3),
        State(4, {"epoch": ["0", "7"], "size": "3"}),
        State(3, {"run": "newsgroups-cnn"}),
    ),
    "Explore: map": (State(2), State(2, {"map": "tsne", "dimensions": "3", "fit": "alone", "epoch": ["1", "7"]})),
    "Recurrent networks: memory": (
        State(5, {"text": "not-bad"}),
        State(5, {"text": "not-bad", "memory": "score", "run": "imdb-elman", "epoch": "9"}),
        State(6, {"text": "not-bad", "run": "wikitext2-lstm", "start": "along", "rate": "0.1"}),
    ),
    "Language models: surprisal": (State(1), State(1, {"run": "wikitext2-lstm", "epoch": ["0", "11"]})),
    "Models: training": (State(1),),
    "Words: neighbours": (
        State(1),
        State(2, {"run": ["enwiki-skipgram", "imdb-skipgram"]}),
        State(1, {"run": "enwiki-cbow", "vectors": "output", "band": "common", "word": "king"}),
        State(1, {"vectors": "input-output"}),
    ),
    "Words: analogies": (State(4), State(4, {"method": "3CosMul", "analogy": "paris - france + italy"})),
    "Words: similarity": (State(1),),
    "Words: axes": (State(1, {"run": "enwiki-skipgram", "epoch": ["0", "10"]}),),
    "Explore: table": (State(1),),
    "Explore: training-dynamics": (
        State(4, {"part": "test", "together": "open", "planted": "open"}),
        State(5, {"listed": "ambiguous", "together": "open", "planted": "open"}),
        State(3, {"part": "test", "loop": "0.1,0.2 0.3,0.2 0.3,0.7 0.1,0.7"}),
    ),
    "Inside the model: linear-weights": (
        State(1, {"run": "newsgroups-ngrams", "class": "sci.space"}),
        State(2, {"size": "2"}),
    ),
    "Inside the model: calibration": (State(2), State(2, {"run": "newsgroups-cnn", "epoch": "2"})),
    "Trees: one-sentence": (State(2),),
    "Trees: accuracy": (State(1),),
    "One review: time-machine": (
        State(7, {"run": "imdb-elman", "beside": "imdb-lstm"}),
        State(4, {"text": "not-bad", "pinned": "3", "method": "saliency"}),
    ),
    "Recurrent networks: gates": (
        State(4, {"text": "not-bad", "epoch": ["0", "13"]}),
        State(4, {"text": "not-bad", "run": "imdb-qrnn", "unit": "7", "beside": "imdb-lstm"}),
        State(4, {"text": "not-bad", "run": "wikitext2-lstm"}),
    ),
    "Recurrent networks: states": (
        State(6, {"text": "not-bad"}),
        State(
            6,
            {
                "text": "not-bad",
                "run": "imdb-lstm",
                "epoch": ["0", "14"],
                "plane": "score",
                "input": "zero",
                "modifier": "film",
            },
        ),
        State(2, {"text": "not-bad", "run": "wikitext2-lstm"}),
    ),
    "Recurrent networks: units": (
        State(5, {"text": "not-bad"}),
        State(5, {"text": "not-bad", "run": "imdb-lstm", "epoch": ["0", "14"], "feature": "sentiment"}),
        State(4, {"text": "not-bad", "run": "wikitext2-lstm"}),
    ),
    "Toy tasks: curves": (State(2),),
    "Toy tasks: tape": (State(3), State(3, {"tape_task": "associative-recall", "sequence": "2", "step": "5"})),
    "Training: real-loss": (State(3),),
    "Training: learning-rate": (
        State(1),
        State(3, {"rates": "schedules"}),
        State(2, {"rates": "stopping", "patience": "5"}),
    ),
    "Training: babysitting": (State(1),),
    "Training: choices": (State(3), State(3, {"kind": "activation"})),
    "Translate: alignment": (State(10), State(10, {"target_of": "same"})),
    "Translate: bleu": (State(5),),
    "Language models: network-vs-n-grams": (State(4),),
    "Language models: next-word": (State(5),),
    "Language models: word-order": (State(1),),
    "Language models: perplexity": (State(3),),
    "Autoencoders: map": (State(3),),
    "Autoencoders: code": (State(2),),
    "Autoencoders: walk": (State(1),),
    "Autoencoders: topics": (State(2),),
    "Autoencoders: collapse": (State(1),),
    "Models: compare": (State(2),),
    "Explore: drift": (State(1, {"run": "imdb-lstm"}),),
    "Explore: disagreement": (State(1), State(1, {"what": "epochs"})),
    "One review: influence": (State(2, {"target": "negative"}),),
    "Inside the model: methods": (State(2, {"measure": "wins"}), State(2, {"run": "imdb-gru"})),
    "Inside the model: retrained-without": (State(1),),
    "One review: methods-compared": (
        State(3, {"text": "not-bad"}),
        State(4, {"text": "not-bad"}, toggle="stability"),
        State(4, {"text": "not-bad", "epoch": "0"}, toggle="stability"),
    ),
    "Inside the model: behaviours": (State(1, {"run": "imdb-lstm", "beside": "imdb-ngrams"}),),
    "Translate: beam": (State(1),),
    "Language models: sampling": (State(2), State(2, {"run": "wikitext2-lstm", "top_k": "20", "seed": "3"})),
    "Trees: negation-and-contrast": (State(2),),
    "Training: optimisers": (State(1), State(1, {"surface": "beale", "eta": "0.01", "noise": "0.1"})),
    "Training: backpropagation": (State(1),),
    "Words: map": (
        State(1),
        State(1, {"map": "pca", "word": "king"}),
        State(1, {"map": "pca", "words": "200", "dimensions": "3", "epoch": ["0", "1"]}),
        State(1, {"map": "pca", "run": ["enwiki-skipgram", "imdb-skipgram"], "word": "film"}),
    ),
    "Captions: scenes": (State(2, {"beside": "scenes-soft"}),),
    "Explore: inferred": (State(2, {"times": "5"}),),
    "One review: edit": (State(3, {"text": "not-bad", "edits": "swap-1-good"}),),
    "Translate: sentences": (State(1),),
}
FIELDS: dict[str, Field] = {
    **dict.fromkeys(
        (
            "One review: saliency",
            "One review: time-machine",
            "Recurrent networks: gates",
            "Recurrent networks: memory",
            "Recurrent networks: states",
            "Recurrent networks: units",
            "One review: methods-compared",
            "One review: attention",
            "One review: n-grams",
            "Language models: next-word",
            "Inside the model: linear-weights",
            "One review: edit",
            "One review: influence",
            "Explore: inferred",
            "Language models: sampling",
        ),
        Field("text"),
    ),
    "Translate: beam": Field("source_sentence"),
    "Translate: sentences": Field("phrases", "\nA man sleeps\nA dog runs"),
}


def wrong_code(app: AppTest, state: State) -> Iterator[str]:
    """Say what is wrong with a view in one of its states: each figure's code gives its numbers, and draws it."""
    if state.toggle:
        app.toggle(key=state.toggle).set_value(True).run()
    yield from (f"{state}: {one.value}" for one in [*app.exception, *app.warning])
    offered = coded(app)
    if state.figures not in (None, len(offered)):
        yield f"{state}: {len(offered)} figures have code"
    for place, payload in enumerate(offered):
        table, drawn = ran(payload["code"])
        if len(drawn) != 1:
            yield f"{state}: the code of figure {place} draws {len(drawn)} figures"
        for view in drawn:
            yield from (f"{state}, figure {place}: {one}" for one in not_traces(view, payload))
        if not any(values.dtype.kind == "f" and len(values) for _, values in table.items()):
            yield f"{state}: the code of figure {place} gives no numbers"
        yield from (f"{state}, figure {place}: {one}" for one in not_columns(table, payload))


def wrong_literal(app: AppTest, field: Field) -> Iterator[str]:
    """Say what is wrong with the code of a view where somebody types: the text is a literal in it, and runs nowhere."""
    app.text_area(key=field.key).set_value(TYPED + field.beside).run()
    yield from (f"typed into {field.key}: {one.value}" for one in app.exception)
    offered = coded(app)
    if not any(repr(TYPED) in payload["code"] for payload in offered):
        yield f"what is typed into {field.key} is in no code"
    for payload in offered:
        if "SystemExit" in payload["code"].replace(repr(TYPED), ""):
            yield f"what is typed into {field.key} is more than a literal"
        else:
            yield from (f"typed into {field.key}: {one}" for one in not_columns(ran(payload["code"]).table, payload))


def coded(app: AppTest) -> list[dict[str, Any]]:
    """Return the figures of a page that offer code."""
    found = []
    for position in count():
        try:
            found.append(figure(app, position))
        except IndexError:
            return [one for one in found if "code" in one]
    raise AssertionError


class Ran(NamedTuple):
    """What a snippet leaves: its table, and the figures that it saves."""

    table: pd.DataFrame
    drawn: list[FigureView]


def ran(code: str) -> Ran:
    """Run a snippet."""
    left: dict[str, Any] = {"print": lambda *_: None}
    drawn: list[FigureView] = []
    with patch("nlpviz.figures.page.save_figure", drawn.append):
        exec(compile(code, "snippet", "exec"), left)
    return Ran(left["table"], drawn)


def not_traces(view: FigureView, payload: dict[str, Any]) -> Iterator[str]:
    """Name what a snippet draws that the figure of the page does not show."""
    shown = payload["figure"]["data"]
    if not view.json["data"]:
        yield "nothing is drawn"
    for trace in view.json["data"]:
        if not any(_same_trace(trace, other) for other in shown):
            yield f"{trace.get('type')} {trace.get('name', '')} is drawn, and no part of the figure"


def _same_trace(trace: dict[str, Any], other: dict[str, Any]) -> bool:
    if trace.get("type") != other.get("type"):
        return False
    return all(_same_numbers(trace.get(key), other.get(key)) for key in ("x", "y", "z"))


def _same_numbers(values: Any, others: Any) -> bool:
    if values is None or others is None:
        return values is others
    if isinstance(values, dict) or isinstance(others, dict):
        one, other = numbers(values).ravel(), numbers(others).ravel()
        return one.shape == other.shape and np.allclose(one, other, rtol=1e-4, atol=1e-5, equal_nan=True)
    return bool(values == others)


def not_columns(table: pd.DataFrame, payload: dict[str, Any]) -> Iterator[str]:
    """Name the columns of a snippet's table that are none of the figure's CSV."""
    columns = [numbers(one["column"]) if isinstance(one["column"], dict) else one["column"] for one in payload["table"]]
    headings = [one["heading"] for one in payload["table"]]
    for name, values in table.items():
        if not any(_same(values, column) for column in columns):
            yield f"{name} is no column of {headings}"


def _same(values: pd.Series, column: Any) -> bool:
    if values.dtype.kind not in "iuf":
        return list(column) == values.tolist()
    if not isinstance(column, np.ndarray) and not all(isinstance(item, int | float | None) for item in column):
        return False
    one = np.asarray(column, dtype=float)
    return one.shape == values.shape and np.allclose(one, values.to_numpy(), rtol=1e-4, atol=1e-5, equal_nan=True)
