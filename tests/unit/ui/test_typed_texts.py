"""What is typed is kept by what it is for, and outlives a reload of the tab."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest

from nlpviz.ui import limits, typed_texts


@pytest.fixture(autouse=True)
def session(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    state: dict[str, Any] = {}
    monkeypatch.setattr(typed_texts, "st", SimpleNamespace(session_state=state))
    monkeypatch.setattr(limits, "most_characters", lambda: 20)
    return state


def test_no_purpose_overwrites_another() -> None:
    typed_texts.note(typed_texts.REVIEW, "a dull film")
    typed_texts.note(typed_texts.BEGINNING, "The president")
    assert typed_texts.latest(typed_texts.REVIEW) == "a dull film"
    assert typed_texts.latest(typed_texts.TREE) is None


def test_the_last_texts_are_offered_and_one_comes_back() -> None:
    for number in range(7):
        typed_texts.note(typed_texts.REVIEW, f"text {number}")
    assert list(typed_texts.older(typed_texts.REVIEW).values()) == ["text 5", "text 4", "text 3", "text 2"]
    assert typed_texts.taken(typed_texts.REVIEW, "own 2")
    assert typed_texts.latest(typed_texts.REVIEW) == "text 4"
    assert list(typed_texts.older(typed_texts.REVIEW).values()) == ["text 6", "text 5", "text 3", "text 2"]
    assert not typed_texts.taken(typed_texts.REVIEW, "own")


def test_an_empty_text_is_none_of_them() -> None:
    typed_texts.begin(typed_texts.REVIEW)
    assert typed_texts.latest(typed_texts.REVIEW) == ""
    assert typed_texts.stored() == ""
    typed_texts.note(typed_texts.REVIEW, "good")
    assert not typed_texts.older(typed_texts.REVIEW)


def test_a_reloaded_tab_brings_texts_back_unless_something_was_typed(session: dict[str, Any]) -> None:
    typed_texts.note(typed_texts.REVIEW, "first")
    typed_texts.note(typed_texts.REVIEW, "second")
    typed_texts.note(typed_texts.TREE, "half a sign: \ud800")
    packed = typed_texts.stored()
    session.clear()
    assert typed_texts.restore(packed)
    assert typed_texts.latest(typed_texts.REVIEW) == "second"
    assert typed_texts.latest(typed_texts.TREE) == "half a sign: \ud800"
    assert list(typed_texts.older(typed_texts.REVIEW).values()) == ["first"]
    assert not typed_texts.restore(json.dumps({"review": ["from an earlier page"]}))
    assert typed_texts.latest(typed_texts.REVIEW) == "second"


@pytest.mark.parametrize(
    "packed", ["", "{", "[]", "7", '{"review": "text"}', '{"review": [7, null]}', '{"review": [""]}', "[" * 100_000]
)
def test_what_is_no_such_list_brings_nothing(packed: str) -> None:
    assert not typed_texts.restore(packed)


def test_what_a_tab_brings_is_bounded() -> None:
    typed_texts.restore(
        json.dumps({f"purpose {number}": ["x" * 100] * 9 for number in range(100)} | {"y" * 1_000: ["z"]})
    )
    kept = json.loads(typed_texts.stored())
    assert len(kept) == 32
    assert all(texts == ["x" * 20] for texts in kept.values())


@pytest.mark.parametrize(("alone", "said"), [(True, "stays on this computer"), (False, "only to this nlpviz server")])
def test_what_is_said_of_privacy_is_true_of_the_server(monkeypatch: pytest.MonkeyPatch, alone: bool, said: str) -> None:
    monkeypatch.setattr(limits, "alone", lambda: alone)
    assert said in typed_texts.privacy()
