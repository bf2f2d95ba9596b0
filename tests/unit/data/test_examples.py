"""The example reviews: well formed, and each shows what it is there to show."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from nlpviz.data.examples import Example, every_example, examples
from nlpviz.data.newsgroups import GROUPS

BY_ID = {example.id: example for example in examples()}


def words(text: str) -> list[str]:
    """Return the words and marks of a text, in lower case."""
    return re.findall(r"\w+|[^\w\s]", text.lower())


def of_kind(kind: str) -> list[Example]:
    """Return the examples of one kind."""
    return [example for example in examples() if example.kind == kind]


def test_examples_are_a_few_dozen_and_read_once() -> None:
    assert 36 <= len(examples()) <= 48
    assert examples() is examples()


@pytest.mark.parametrize("field", ["id", "title", "text"])
def test_examples_differ(field: str) -> None:
    values = Counter(getattr(example, field) for example in every_example())
    assert max(values.values()) == 1


@pytest.mark.parametrize("example", every_example(), ids=lambda example: example.id)
def test_example_is_well_formed(example: Example) -> None:
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", example.id)
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", example.kind)
    assert 2 <= len(example.title.split()) <= 5
    assert example.label in (GROUPS if example.corpus == "newsgroups" else {"positive", "negative", "mixed"})
    assert example.text == example.text.strip() != ""
    assert "  " not in example.text, "a folded line lost or gained a space"


def test_examples_cover_every_label_well() -> None:
    labels = Counter(example.label for example in examples())
    assert min(labels["positive"], labels["negative"]) >= 12
    assert labels["mixed"] >= 4


@pytest.mark.parametrize(
    ("kind", "pattern"),
    [
        ("emoticons", r":-\)|;-\)|:-D"),
        ("emoji", "\u200d"),  # joined into one picture
        ("emoji", "[\U0001f1e6-\U0001f1ff]{2}"),  # a flag
        ("html", "<br />"),
        ("entities", r"&amp;.*&#39;"),
        ("markup", "<script>"),
        ("links", "https://"),
        ("rating", r"\d/10"),
        ("rating", "[Ff]our stars"),
        ("question", r"\?$"),
        ("accents", "[À-ÿ]"),
        ("right-to-left", "[\u0600-\u06ff]"),  # Arabic
        ("right-to-left", "[\u0590-\u05ff].*[A-Za-z].*[\u0590-\u05ff]"),  # English inside Hebrew
        ("other-language", "[\u3040-\u30ff]"),  # no spaces between words
        ("other-language", "Quelle|ß|¡"),
    ],
)
def test_examples_show_their_kind(kind: str, pattern: str) -> None:
    assert any(re.search(pattern, example.text) for example in of_kind(kind))


def test_short_examples_are_short() -> None:
    assert BY_ID["one-word"].text == "Unwatchable."
    assert BY_ID["not-bad"].text == "Not bad, quite good."


def test_capitals_are_capitals() -> None:
    assert all(example.text.isupper() for example in of_kind("capitals"))


def test_two_examples_are_long() -> None:
    assert [len(words(example.text)) > 450 for example in of_kind("long")] == [True, True]


def test_last_verdict_is_cut_off() -> None:
    praise, dreadful, _ = BY_ID["verdict-last"].text.partition("It is dreadful.")
    assert dreadful
    assert len(words(praise)) > 1000, "the committed network reads no more"
    assert BY_ID["verdict-last"].label == "negative"


def test_word_order_alone_tells_two_examples_apart() -> None:
    good, bad = BY_ID["word-order-good"], BY_ID["word-order-bad"]
    assert sorted(words(good.text)) == sorted(words(bad.text))
    assert (good.label, bad.label) == ("positive", "negative")
