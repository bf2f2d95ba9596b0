"""Edits, and the trail of them, as pure functions: an address holds them, a text takes them, branches are kept."""

from __future__ import annotations

from random import Random

import pytest

from nlpviz.text import edit_trail
from nlpviz.text.aligned import align, differing
from nlpviz.text.edit_trail import MOST, Trail, TrailStep
from nlpviz.text.edits import EditError, WordEdit, apply, change, negate, read, said, write
from nlpviz.text.vocabulary import tokenize

TEXT = "This film isn't bad. I really, really liked it!"
WORDS = ("good", "a b", "a-b_c.d:e~f", "äöü 👩‍🚀", "it's", "%2E", "<b>", "7/10")


@pytest.mark.parametrize(
    ("written", "after", "clause"),
    [
        ("swap-3-good", "This film isn't good. I really, really liked it!", "bad → good"),
        ("delete-3", "This film isn't. I really, really liked it!", "“bad” deleted"),
        ("delete-0", "film isn't bad. I really, really liked it!", "“This” deleted"),
        ("delete-5x3", "This film isn't bad. really liked it!", "“I really,” deleted"),
        ("insert-3-so", "This film isn't so bad. I really, really liked it!", "“so” inserted"),
        ("insert-12-Yes", "This film isn't bad. I really, really liked it! Yes", "“Yes” inserted"),
        ("swap-9-hated_delete-3", "This film isn't. I really, really hated it!", "“bad” deleted; liked → hated"),
        ("delete-0x12", "", "“This film isn't bad. I really, really l…” deleted"),
    ],
)
def test_an_edit_of_an_address_is_made(written: str, after: str, clause: str) -> None:
    edits = read(written)
    assert write(edits) == written
    assert apply(TEXT, edits, tokenize) == after
    assert said(TEXT, edits, tokenize).startswith(clause[:30])


def test_no_two_words_become_one() -> None:
    assert apply("good.bad", [WordEdit(1, 1)], tokenize) == "good bad"
    assert apply("good.bad", [WordEdit(1, 1, "and")], tokenize) == "good and bad"
    assert apply("", [WordEdit(0, 0, "hello")], tokenize) == "hello"


@pytest.mark.parametrize(
    "nonsense", ["", "swap-1", "delete-1-x", "insert-2x2-a", "jump-1-a", "swap--1-a", "swap-1-%20"]
)
def test_what_is_no_edit_is_refused(nonsense: str) -> None:
    with pytest.raises(EditError):
        read(nonsense)


@pytest.mark.parametrize("written", ["delete-12", "delete-11x2", "insert-13-a", "delete-1_delete-1"])
def test_a_text_refuses_what_it_has_no_place_for(written: str) -> None:
    edits = read(written)
    with pytest.raises(EditError):
        apply(TEXT, edits, tokenize)


@pytest.mark.parametrize(
    ("place", "after"),
    [(2, "is bad"), (3, "isn't not bad"), (1, "not film isn't bad")],
)
def test_negation_comes_and_goes(place: int, after: str) -> None:
    assert after in apply(TEXT, [negate(TEXT, place, tokenize)], tokenize)


def test_a_negation_is_undone_by_another_one() -> None:
    for text in ("It was good", "Was it good", "never good"):
        for place in range(len(tokenize(text))):
            once = apply(text, [negate(text, place, tokenize)], tokenize)
            assert once != text
    assert apply("not good", [negate("not good", 1, tokenize)], tokenize) == "good"
    assert apply("Was it", [negate("Was it", 0, tokenize)], tokenize) == "Wasn't it"


def test_texts_of_words_at_random_become_each_other() -> None:
    """Whatever is typed anew, its edits make its words of the others, and an address holds them."""
    draw = Random(1)
    for _ in range(200):
        before, after = (" ".join(draw.choices([*"abcde.!"], k=draw.randint(0, 9))) for _ in range(2))
        edits = change(before, after, tokenize)
        assert read(write(edits)) == edits if edits else before.split() == after.split()
        made = apply(before, edits, tokenize)
        assert [token.word for token in tokenize(made)] == [token.word for token in tokenize(after)]
        first, second = before.split(), after.split()
        blocks = align(first, second)
        assert [word for one in blocks for word in first[slice(*one.before)]] == first
        assert [word for one in blocks for word in second[slice(*one.after)]] == second
        assert all((first[slice(*one.before)] == second[slice(*one.after)]) == one.same for one in blocks)


def test_a_long_text_of_few_words_is_one_block() -> None:
    before, after = ["a", "b"] * 5_000, ["b", *["a", "b"] * 5_000, "c"]
    assert [one.same for one in align(before, after)] == [False]
    assert differing(align(before, [*before, "c"])) == 1


def a_trail(draw: Random) -> Trail:
    steps: list[TrailStep] = []
    for number in range(draw.randint(1, 8)):
        edits = tuple(WordEdit(place, 1, draw.choice(("", *WORDS))) for place in (2, 0)[: draw.randint(1, 2)])
        steps.append(TrailStep(draw.randint(0, number), edits))
    return tuple(steps)


def test_a_trail_comes_back_from_its_address() -> None:
    draw = Random(2)
    for _ in range(200):
        trail = a_trail(draw)
        assert edit_trail.read(edit_trail.write(trail)) == (trail, "")


def test_branches_are_kept_by_undo_and_found_again() -> None:
    trail, at = edit_trail.do((), 0, read("swap-3-good"))
    trail, at = edit_trail.do(trail, at, read("delete-2"))
    assert (at, edit_trail.undo(trail, at), edit_trail.undo(trail, 1), edit_trail.undo(trail, 0)) == (2, 1, 0, 0)
    trail, at = edit_trail.do(trail, 0, read("insert-0-Well"))
    assert edit_trail.write(trail) == "swap-3-good.delete-2.0:insert-0-Well"
    assert edit_trail.do(trail, 1, read("delete-2")) == (trail, 2)
    walked = edit_trail.walk(TEXT, trail, tokenize)
    assert walked.texts[2] == "This film good. I really, really liked it!"
    assert walked.texts[3] == f"Well {TEXT}"
    assert (walked.path(2), walked.path(3), walked.path(0)) == ([1, 2], [3], [])


def test_what_a_text_does_not_allow_ends_a_trail() -> None:
    trail, unread = edit_trail.read("delete-3.delete-99.delete-0")
    walked = edit_trail.walk(TEXT, trail, tokenize)
    assert unread == ""
    assert len(walked.trail) == 1
    assert walked.problem == "Edit 2 cannot be applied: there is no word 100: the text has 11."
    assert edit_trail.read("delete-3.9:delete-1.delete-0")[1] == "9:delete-1"
    assert edit_trail.read("delete-3.nonsense")[1] == "nonsense"
    full, _ = edit_trail.read(".".join(["delete-0"] * (MOST + 5)))
    assert len(full) == MOST
    assert edit_trail.do(full, 3, read("delete-1")) == (full, 3)
