"""The result types: what they hold cannot be changed, and must fit together."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest

from nlpviz.results.explanation import Explanation
from nlpviz.results.projection import Projection
from nlpviz.text.vocabulary import Vocabulary

ENCODED = Vocabulary(["a", "b"], [2, 1]).encode("a b c a", max_length=3)


@pytest.fixture
def explanation() -> Explanation:
    """An explanation of three tokens."""
    return Explanation(
        run="toy",
        epoch=1,
        method="saliency",
        encoded=ENCODED,
        scores=np.array([0.5, -2.0, 0.5], dtype=np.float32),
        matrix=np.zeros((3, 4), dtype=np.float32),
        signed=True,
        target=0,
        class_names=("negative", "positive"),
        probabilities=np.array([0.3, 0.7], dtype=np.float32),
        class_score=-0.8,
    )


@pytest.fixture
def projection() -> Projection:
    """A map of five documents in three dimensions."""
    coordinates = np.zeros((5, 3), dtype=np.float32)
    return Projection("toy", "pca", 1, coordinates, 1.0, 0.5, 15, 0, "Epochs share their axes.")


def test_strongest_tokens_are_those_of_the_largest_magnitude_earlier_ones_first(explanation: Explanation) -> None:
    assert explanation.strongest(2) == [1, 0]
    assert explanation.strongest(9) == [1, 0, 2]
    assert explanation.strongest(0) == []


def test_predicted_is_the_most_probable_class_not_the_target(explanation: Explanation) -> None:
    assert (explanation.predicted, explanation.target) == (1, 0)


@pytest.mark.parametrize(
    "changes",
    [{"scores": np.zeros(4)}, {"scores": np.zeros((3, 1))}, {"matrix": np.zeros((4, 4))}],
    ids=["as many as tokens typed", "a column", "rows"],
)
def test_scores_must_match_the_tokens_read(explanation: Explanation, changes: dict[str, np.ndarray]) -> None:
    with pytest.raises(ValueError, match="one score, and one row of its matrix, per token read"):
        replace(explanation, **changes)


def test_a_method_may_have_no_matrix(explanation: Explanation) -> None:
    bare = replace(explanation, matrix=None)
    assert bare.strongest(1) == [1]
    with pytest.raises(ValueError, match="one score"):
        replace(bare, scores=np.zeros(4, dtype=np.float32))


@pytest.mark.parametrize("name", ["scores", "matrix", "probabilities"])
def test_arrays_of_an_explanation_are_read_only(explanation: Explanation, name: str) -> None:
    with pytest.raises(ValueError, match="read-only"):
        getattr(explanation, name)[0] = 1
    with pytest.raises(FrozenInstanceError):
        explanation.epoch = 2  # type: ignore[misc]


def test_coordinates_of_a_map_are_read_only(projection: Projection) -> None:
    assert projection.dimensions == 3
    with pytest.raises(ValueError, match="read-only"):
        projection.coordinates[0] = 1
