"""What lies in a loop, and what several trainings learn alike."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import spearmanr

from nlpviz.figures.documents.co_learning import together_matrix
from nlpviz.results.cartography import NEVER, Cartography
from nlpviz.results.co_learning import LearntTogether
from nlpviz.results.map_selection import corners_of, inside
from nlpviz.results.training_log import Role, TrainingLog

RNG = np.random.default_rng(8)


def log(run: str, given: np.ndarray, first: int = 0) -> TrainingLog:
    """Return the log that says ``given`` (N, M) of the label of documents numbered from ``first``."""
    count, moments = given.shape
    return TrainingLog(
        run=run,
        class_names=("no", "yes"),
        moments=np.arange(moments, dtype=np.float32),
        ids=tuple(f"train/{first + at}" for at in range(count)),
        labels=np.arange(first, first + count, dtype=np.int16) % 2,
        parts=np.full(count, Role.TRAINED, dtype=np.uint8),
        tokens=np.full(count, 7, dtype=np.int32),
        log_odds=np.log(given / (1 - given)).astype(np.float32),
        right=given > 0.5,
    )


def test_trainings_are_compared_by_ranks_over_the_documents_of_both() -> None:
    given = RNG.uniform(0.05, 0.95, size=(60, 6))
    given[:5] = 0.1  # never right
    other = np.clip(given + RNG.normal(0, 0.1, given.shape), 0.02, 0.98)[10:]
    maps = [Cartography.of(log("one", given)), Cartography.of(log("other", other, 10))]
    found = LearntTogether.of(["One", "Other"], maps)
    assert found.ids == tuple(f"train/{at}" for at in range(10, 60))
    np.testing.assert_array_equal(found.labels, np.arange(10, 60) % 2)
    for name, values in (("forgotten", found.forgotten), ("confidence", found.confidence)):
        assert found.correlations[name][0, 1] == pytest.approx(spearmanr(values[0], values[1]).statistic)
    late = np.where(found.first == NEVER, 99, found.first)
    assert found.correlations["first"][0, 1] == pytest.approx(spearmanr(late[0], late[1]).statistic)
    both = LearntTogether.of(["One", "Again"], [maps[0], maps[0]])
    assert both.never[:5].all()
    share = (both.first[0] == NEVER).mean()
    assert both.never_by_chance == pytest.approx(60 * share * share)
    assert both.least_believed.tolist() == np.argsort(maps[0].confidence, kind="stable").tolist()
    assert both.correlations["confidence"][0, 1] == pytest.approx(1)
    assert both.wrong_in[:5].tolist() == [2] * 5
    with pytest.raises(ValueError, match="document ids"):
        LearntTogether.of([], [])


def test_the_matrix_puts_trainings_that_rank_alike_beside_each_other() -> None:
    given = RNG.uniform(0.05, 0.95, size=(60, 6))
    near = np.clip(given + RNG.normal(0, 0.02, given.shape), 0.02, 0.98)
    far = RNG.uniform(0.05, 0.95, size=given.shape)
    always = np.full_like(given, 0.9)  # no order of its own
    logs = [log(name, one) for name, one in (("a", given), ("b", far), ("c", near), ("d", always))]
    found = LearntTogether.of(["A", "B", "C", "D"], [Cartography.of(one) for one in logs])
    assert found.by_likeness("confidence") == [0, 2, 1, 3]
    drawn = together_matrix(found, "confidence", "toy")
    rows = drawn.figure.data[1]
    texts = dict(zip(zip(rows.x, rows.y, strict=True), rows.text, strict=True))
    assert texts[0, 1] == f"{found.correlations['confidence'][0, 2]:.2f}"
    assert texts[2, 3] == "–"
    assert drawn.table["first"] == ["A", "A", "A", "B", "B", "C"]
    assert drawn.alt.count(" and D ") == 0, "what has no order is neither most nor least alike"
    values = [value for value, _ in found.ranked("confidence")]
    assert len(values) == 3
    assert values == sorted(values)
    assert found.ranked("confidence")[-1][1] == (0, 2)


def test_what_lies_in_a_loop_is_found_by_the_even_odd_rule() -> None:
    x, y = np.array([0.5, 1.5, 0.5, 0.9]), np.array([0.5, 0.5, 1.5, 0.1])
    square = corners_of("0,0 1,0 1,1 0,1")
    assert square is not None
    assert inside(square, x, y).tolist() == [True, False, False, True]
    triangle = corners_of("0,0 1,1 0,1")
    assert triangle is not None
    points = RNG.uniform(0, 1, size=(200, 2))
    np.testing.assert_array_equal(inside(triangle, *points.T), points[:, 1] > points[:, 0])
    ring = np.array([[np.cos(at), np.sin(at)] for at in np.linspace(0, 2 * np.pi, 24, endpoint=False)])
    assert inside(ring, np.array([0.0, 0.9, 1.1]), np.zeros(3)).tolist() == [True, True, False]


@pytest.mark.parametrize(
    "text", ["", "0,0 1,1", "a,b c,d e,f", "0,0 1,nan 2,2", "0,0,0 1,1 2,2", "1,2 " * 400, "0 1 2"]
)
def test_what_is_no_loop_is_none(text: str) -> None:
    assert corners_of(text) is None


def test_whoever_leads_each_training_keeps_its_own() -> None:
    names, count = ("A", "B", "C"), 6
    numbers = np.arange(3 * count, dtype=np.float32).reshape(3, count)
    ids = tuple(f"train/{at}" for at in range(count))
    found = LearntTogether(names, ids, np.zeros(count, dtype=int), numbers, numbers.astype(int), numbers / 20)
    led = found.led_by(1)
    assert led.titles == ("B", "A", "C")
    for name in ("first", "forgotten", "confidence"):
        assert getattr(led, name).tolist() == getattr(found, name)[[1, 0, 2]].tolist()
    assert led.never_by_chance == found.never_by_chance
    np.testing.assert_array_equal(led.least_believed, found.least_believed)
