"""How a review begins, for who points at it: short, plain, escaped, and never waited for."""

from __future__ import annotations

from dataclasses import replace
from html import unescape
from threading import Event
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from nlpviz.data import CorpusMissing
from nlpviz.figures.documents.maps import MapStyle, document_map
from nlpviz.results.documents import RunDocuments
from nlpviz.results.projection import Projection
from nlpviz.run_kinds.drawn.beginnings import LONGEST, beginning
from nlpviz.runs import open_run
from nlpviz.runs.documents import documents_of
from nlpviz.training import texts
from nlpviz.ui.documents import beginnings as module
from nlpviz.ui.documents.beginnings import beginnings

RUN = open_run("imdb-cnn")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Short and good.", "Short and good."),
        ("One line.<br /><br />Another  one.", "One line. Another one."),
        ("word " * 40, "word word word word word word word word word word word…"),
        ("a" * 500, "a" * (LONGEST - 1) + "…"),
        ("null\x00byte", "nullbyte"),
        ("", ""),
    ],
)
def test_a_review_begins(text: str, said: str) -> None:
    assert beginning(text) == said


@given(text=some.text(max_size=400))
def test_it_is_short_and_in_one_line(text: str) -> None:
    said = beginning(text)
    assert len(said) <= LONGEST
    assert len(said.splitlines()) <= 1


def test_it_stands_escaped_under_the_pointer_and_in_no_table() -> None:
    hostile = "<img src=x onerror=alert(1)> & <b>'bold'</b>"
    documents = RunDocuments(
        "toy", "Toy", ("negative", "positive"), 1, ("a", "b"), np.array([0, 1], np.int8), np.array([1, 9], np.int8),
        np.array([5, 6], np.int32), {1: np.array([[0.9, 0.1], [0.1, 0.9]], np.float32)}, beginnings=(hostile, "fine"),
    )  # fmt: skip
    chart = Projection("toy", "pca", 1, np.eye(2, dtype=np.float32), 0.9, 0.5, 15, 0, "")
    view = document_map([documents], [chart], "PCA", MapStyle())
    said = [text for trace in view.figure.data for text in trace.hovertext or ()]
    assert "<" not in "".join(said)
    assert [unescape(text) for text in said] == [hostile, "fine"]
    assert all("%{hovertext}" in trace.hovertemplate for trace in view.figure.data if trace.hovertext)
    assert "fine" not in str(view.table)
    bare = document_map([replace(documents, beginnings=())], [chart], "PCA", MapStyle())
    assert not any(trace.hovertext or "hovertext" in str(trace.hovertemplate) for trace in bare.figure.data)


@pytest.fixture(autouse=True)
def _forget() -> None:
    module._reading.clear()


def split(ids: tuple[str, ...]) -> SimpleNamespace:
    return SimpleNamespace(ids=ids, texts=[f"Review {identifier}" for identifier in ids])


def test_they_are_in_the_order_of_the_documents(monkeypatch: pytest.MonkeyPatch) -> None:
    ids = documents_of(RUN).ids
    monkeypatch.setattr(texts, "labelled_texts", lambda *_: split(ids[::-1]))
    assert beginnings(RUN) == tuple(f"Review {identifier}" for identifier in ids)


def test_without_the_corpus_there_are_none_until_it_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_: str) -> None:
        raise CorpusMissing("not here")

    monkeypatch.setattr(texts, "labelled_texts", missing)
    assert beginnings(RUN) == ()
    monkeypatch.setattr(texts, "labelled_texts", lambda *_: split(documents_of(RUN).ids))
    assert len(beginnings(RUN)) == len(documents_of(RUN).ids)
    module._reading.clear()
    monkeypatch.setattr(texts, "labelled_texts", lambda *_: split(("another",)))
    assert beginnings(RUN) == ()


def test_nobody_waits_for_a_corpus_that_is_being_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    parsed = Event()

    def slowly(*_: str) -> SimpleNamespace:
        assert parsed.wait(60)
        return split(documents_of(RUN).ids)

    monkeypatch.setattr(texts, "labelled_texts", slowly)
    assert beginnings(RUN) == ()
    parsed.set()
    module._reading(RUN).result(60)
    assert beginnings(RUN)
