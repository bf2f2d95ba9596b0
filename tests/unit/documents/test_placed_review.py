"""A typed review on the map: a warning where prediction and neighbourhood disagree, and only there."""

from __future__ import annotations

import numpy as np
import pytest

from nlpviz.ui.documents.placing import disagreement, length_beside

NAMES = ("negative", "positive")


def given(positive: float, near: int) -> str:
    """Return what is said of a review of so much probability, with so many positive ones of 15 nearest."""
    labels = np.array([1] * near + [0] * (15 - near), dtype=np.int8)
    return disagreement(np.array([1 - positive, positive], np.float32), labels, NAMES)


def test_a_negative_answer_among_positive_reviews() -> None:
    assert given(0.11, 8) == (
        "Prediction and neighbourhood disagree: the network predicts negative (89%), and 8 of the 15 nearest "
        "neighbours are positive."
    )


@pytest.mark.parametrize(
    ("positive", "near", "said"), [(0.11, 7, False), (0.9, 8, False), (0.9, 7, True), (0.6, 0, True)]
)
def test_only_where_they_disagree(positive: float, near: int, said: bool) -> None:
    assert bool(given(positive, near)) == said


def test_a_tie_is_no_disagreement() -> None:
    assert not disagreement(np.array([0.2, 0.8], np.float32), np.array([0, 1, 0, 1], np.int8), NAMES)


def test_a_short_text_is_called_so() -> None:
    lengths = np.arange(10, 1010, dtype=np.int32)
    assert (
        length_beside(6, lengths)
        == "With 6 tokens, your text is shorter than all of the texts on the map, so its position means little."
    )
    assert "shorter than 99.9% of" in length_beside(10, lengths)
    assert "1 token, your text" in length_beside(1, lengths)
    assert not length_beside(500, lengths)
