"""What is typed is kept by what it is for, and outlives a reload of the tab."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest

from nlpviz.ui import limits, typed


@pytest.fixture(autouse=True)
def session(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    state: dict[str, Any] = {}
    monkeypatch.setattr(typed, "st", SimpleNamespace(session_state=state))
    monkeypatch.setattr(limits, "most_characters", lambda: 20)
    return state


def test_no_purpose_overwrites_another() -> None:
    typed.note(typed.REVIEW, "a dull film")
    typed.note(typed.BEGINNING, "The president")
    assert typed.latest(typed.REVIEW) == "a dull film"
    assert typed.latest(typed.TREE) is None


def test_the_last_texts_are_offered_and_one_comes_back() -> None:
    for number in range(7):
        typed.note(typed.REVIEW, f"text {number}")
    assert list(typed.older(typed.REVIEW).values()) == ["text 5", "text 4", "text 3", "text 2"]
    assert typed.taken(typed.REVIEW, "own 2")
    assert typed.latest(typed.REVIEW) == "text 4"
    assert list(typed.older(typed.REVIEW).values()) == ["text 6", "text 5", "text 3", "text 2"]
    assert not typed.taken(typed.REVIEW, "own")


def test_an_empty_text_is_none_of_them() -> None:
    typed.begin(typed.REVIEW)
    assert typed.latest(typed.REVIEW) == ""
    assert typed.stored() == ""
    typed.note(typed.REVIEW, "good")
    assert not typed.older(typed.REVIEW)


def test_a_reloaded_tab_brings_texts_back_unless_something_was_typed(session: dict[str, Any]) -> None:
    typed.note(typed.REVIEW, "first")
    typed.note(typed.REVIEW, "second")
    typed.note(typed.TREE, "half a sign: \ud800")
    packed = typed.stored()
    session.clear()
    assert typed.restore(packed)
    assert typed.latest(typed.REVIEW) == "second"
    assert typed.latest(typed.TREE) == "half a sign: \ud800"
    assert list(typed.older(typed.REVIEW).values()) == ["first"]
    assert not typed.restore(json.dumps({"review": ["from an earlier page"]}))
    assert typed.latest(typed.REVIEW) == "second"


@pytest.mark.parametrize(
    "packed", ["", "{", "[]", "7", '{"review": "text"}', '{"review": [7, null]}', '{"review": [""]}', "[" * 100_000]
)
def test_what_is_no_such_list_brings_nothing(packed: str) -> None:
    assert not typed.restore(packed)


def test_what_a_tab_brings_is_bounded() -> None:
    typed.restore(json.dumps({f"purpose {number}": ["x" * 100] * 9 for number in range(100)} | {"y" * 1_000: ["z"]}))
    kept = json.loads(typed.stored())
    assert len(kept) == 32
    assert all(texts == ["x" * 20] for texts in kept.values())


@pytest.mark.parametrize(("alone", "said"), [(True, "stays on this computer"), (False, "only to this nlpviz server")])
def test_what_is_said_of_privacy_is_true_of_the_server(monkeypatch: pytest.MonkeyPatch, alone: bool, said: str) -> None:
    monkeypatch.setattr(limits, "alone", lambda: alone)
    assert said in typed.privacy()
