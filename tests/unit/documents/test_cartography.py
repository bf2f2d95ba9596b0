"""Where documents lie by how a network learnt them, by hand."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from nlpviz.results.cartography import NEVER, Cartography, most_suspect
from nlpviz.results.training_log import Role, TrainingLog

MOMENTS = (0.0, 0.5, 1.0, 1.5, 2.0)
GIVEN = np.array(
    [
        [0.5, 0.9, 0.9, 0.9, 0.9],  # learnt at once, never forgotten
        [0.5, 0.2, 0.6, 0.4, 0.8],  # right at 1, forgotten once
        [0.9, 0.1, 0.1, 0.1, 0.1],  # right before training alone, which does not count
        [0.5, 0.8, 0.2, 0.8, 0.2],  # forgotten twice
    ]
)


def log(given: NDArray[np.float64] = GIVEN, moments: tuple[float, ...] = MOMENTS) -> TrainingLog:
    """Return the log of two classes that says ``given`` (N, M) of the label."""
    count = len(given)
    return TrainingLog(
        run="toy",
        class_names=("no", "yes"),
        moments=np.array(moments, dtype=np.float32),
        ids=tuple(f"train/{number}" for number in range(count)),
        labels=np.arange(count, dtype=np.int16) % 2,
        parts=np.array([Role.TRAINED, Role.TRAINED, Role.HELD_OUT, Role.TEST][:count], dtype=np.uint8),
        tokens=np.full(count, 7, dtype=np.int32),
        log_odds=np.log(given / (1 - given)).astype(np.float32),
        right=given > 0.5,
    )


def test_each_measure_is_what_its_definition_says() -> None:
    found = Cartography.of(log())
    assert found.moments.tolist() == [0.5, 1.0, 1.5, 2.0]
    np.testing.assert_allclose(found.confidence, [0.9, 0.5, 0.1, 0.5], atol=1e-6)
    # deviations of the second from 0.5: 0.3, 0.1, 0.1, 0.3, so that the variance is 0.2 / 4; of the fourth all 0.3
    np.testing.assert_allclose(found.variability, [0, 0.05**0.5, 0, 0.3], atol=1e-6)
    np.testing.assert_allclose(found.correctness, [1, 0.5, 0, 0.5])
    assert found.forgotten.tolist() == [0, 1, 0, 2]
    assert found.first_learnt.tolist() == [0.5, 1.0, NEVER, 0.5]
    np.testing.assert_allclose(found.loss, -np.log(GIVEN[:, -1]), atol=1e-6)
    assert found.margin[1] == pytest.approx(np.log([0.25, 1.5, 2 / 3, 4.0]).mean(), abs=1e-6)
    assert found.suspects.tolist() == [2, 1, 3, 0], "of equal ones the first"


def test_parts_are_taken_with_all_that_is_known_of_them() -> None:
    some = log().of(Role.TEST, Role.HELD_OUT)
    assert some.ids == ("train/2", "train/3")
    assert some.labels.tolist() == [0, 1]
    np.testing.assert_array_equal(some.right, log().right[2:])
    assert not log().of(Role.LEFT_OUT).ids


def test_a_log_of_nothing_but_the_beginning_has_no_map() -> None:
    with pytest.raises(ValueError, match="after the start"):
        Cartography.of(log(GIVEN[:, :1], (0.0,)))


def test_the_highest_score_is_the_most_suspect() -> None:
    assert most_suspect(np.array([1.0, 3.0, 3.0, -2.0])).tolist() == [1, 2, 0, 3]


def test_thirds_and_what_lies_in_a_loop() -> None:
    found = Cartography.of(log())
    assert found.third("easy").tolist() == [0, 3]
    assert found.third("hard").tolist() == [2, 1]
    assert set(found.third("ambiguous").tolist()) == {1, 3}
    with pytest.raises(KeyError, match="medium"):
        found.third("medium")
    sure = np.array([(-0.1, 0), (0.1, 0), (0.1, 1), (-0.1, 1)])
    assert found.in_loop(sure).tolist() == [2, 0], "the least believed first"
