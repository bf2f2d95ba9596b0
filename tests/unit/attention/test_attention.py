"""The result type of attention."""

from __future__ import annotations

import numpy as np
import pytest

from nlpviz.results.attention import AttendedSentence, TextAttention
from nlpviz.text.vocabulary import Vocabulary

TEXT = Vocabulary(["good", "bad", "."], [3, 2, 1]).encode("Good. Bad.", max_length=4)
SENTENCES = (AttendedSentence(0, 2, 0, 5, 0.25), AttendedSentence(2, 4, 6, 10, 0.75))


def attention(**changes: object) -> TextAttention:
    """Return weights of four words, changed."""
    fields = {
        "run": "toy",
        "epoch": 1,
        "text": TEXT,
        "class_names": ("negative", "positive"),
        "probabilities": np.array([0.3, 0.7], np.float32),
        "words": np.array([0.2, 0.05, 0.5, 0.25], np.float32),
    }
    return TextAttention(**(fields | changes))  # type: ignore[arg-type]


def test_arrays_are_read_only() -> None:
    result = attention(within=np.full(4, 0.5, np.float32), heads=np.full((1, 2, 4, 4), 0.25, np.float32))
    for array in (result.words, result.within, result.heads, result.probabilities):
        assert array is not None
        assert not array.flags.writeable


def test_strongest_and_predicted() -> None:
    assert attention().strongest(3) == [2, 3, 0]
    assert attention().predicted == 1


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"words": np.zeros(3, np.float32)}, "one weight per token read"),
        ({"within": np.zeros(3, np.float32)}, "one weight per token read"),
        ({"heads": np.zeros((1, 1, 3, 4), np.float32)}, "one weight per pair"),
        ({"sentences": SENTENCES[:1]}, "must belong to one sentence"),
        ({"sentences": SENTENCES[::-1]}, "must belong to one sentence"),
    ],
)
def test_weights_that_do_not_match_the_tokens_are_refused(changes: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        attention(**changes)
    assert attention(sentences=SENTENCES).sentences[1].weight == 0.75


def test_a_text_without_tokens_has_empty_arrays() -> None:
    nothing = Vocabulary(["good"], [3]).encode("", max_length=4)
    result = attention(text=nothing, words=np.zeros(0, np.float32), within=np.zeros(0, np.float32))
    assert result.strongest(3) == []
