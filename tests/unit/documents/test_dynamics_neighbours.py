"""Whose course is nearest, beside a plain loop."""

from __future__ import annotations

import math

import numpy as np
import pytest

from nlpviz.results.dynamics_neighbours import neighbours_of_course, neighbours_of_document
from nlpviz.results.training_log import TrainingLog

MOMENTS = (0.0, 0.5, 1.0, 2.0)


def log(count: int = 40) -> TrainingLog:
    """Return a log of random courses."""
    log_odds = np.random.default_rng(3).normal(size=(count, len(MOMENTS))).astype(np.float32)
    return TrainingLog(
        run="toy",
        class_names=("no", "yes"),
        moments=np.array(MOMENTS, dtype=np.float32),
        ids=tuple(f"test/{number}" for number in range(count)),
        labels=np.zeros(count, dtype=np.int16),
        parts=np.zeros(count, dtype=np.uint8),
        tokens=np.ones(count, dtype=np.int32),
        log_odds=log_odds,
        right=log_odds > 0,
    )


def test_neighbours_are_those_of_a_plain_loop() -> None:
    logged = log()
    found = neighbours_of_document(logged, 7, 5)
    by_hand = sorted(
        (math.sqrt(sum((a - b) ** 2 for a, b in zip(one, logged.log_odds[7], strict=True)) / 4), position)
        for position, one in enumerate(logged.log_odds.tolist())
        if position != 7
    )
    assert found.positions.tolist() == [position for _, position in by_hand[:5]]
    assert found.ids == tuple(f"test/{position}" for _, position in by_hand[:5])
    np.testing.assert_allclose(found.distances, [distance for distance, _ in by_hand[:5]], rtol=1e-5)
    assert found.middle == pytest.approx(np.median([distance for distance, _ in by_hand]), rel=1e-5)


def test_a_course_is_compared_at_the_epochs_that_the_log_has() -> None:
    logged = log()
    course = np.array([logged.log_odds[11, 0], 99.0, logged.log_odds[11, 3]])
    found = neighbours_of_course(logged, (0, 1.7, 2), course, 3)
    assert found.moments.tolist() == [0.0, 2.0]
    assert found.positions[0] == 11
    assert found.distances[0] == 0
    largest = neighbours_of_course(logged, (2,), np.array([1e6]), 1)
    assert largest.positions[0] == logged.log_odds[:, 3].argmax(), "cut as the log cuts its own"


def test_what_cannot_be_compared_is_refused_and_no_document_is_its_own_neighbour() -> None:
    with pytest.raises(ValueError, match="none of these epochs"):
        neighbours_of_course(log(), (3, 4), np.zeros(2))
    with pytest.raises(ValueError, match="one number per epoch"):
        neighbours_of_course(log(), (0, 1), np.zeros(3))
    with pytest.raises(IndexError, match="no document 40"):
        neighbours_of_document(log(), 40)
    assert not len(neighbours_of_document(log(1), 0).ids)
    only = np.zeros(40, dtype=bool)
    only[[7, 9]] = True
    assert neighbours_of_document(log(), 7, among=only).ids == ("test/9",)
