"""What the view States says: no more than its numbers hold."""

from __future__ import annotations

import numpy as np
import pytest

from nlpviz.figures.recurrence.state_path import DrawnPath
from nlpviz.ui.recurrence import modifiers as modifiers_said
from nlpviz.ui.recurrence import resting
from nlpviz.ui.recurrence.states import trust
from tests.dynamics import modifiers, path, slow_points, space

SPREAD_OUT = np.linspace(-3, 3, 20).tolist()


def said(factor: float, **more: float) -> str:
    one = modifiers(factor, **more)
    sentence, pieces = modifiers_said.said(one, "not", one.modified[0])
    return sentence.format(**pieces)


@pytest.mark.parametrize(
    ("factor", "expected"),
    [
        (1.0, "**within the range of random words**"),
        (0.95, "**within the range of random words**"),
        (0.4, "**weakens the next push**"),
        (-0.3, "**reverses the next push**"),
        (1.6, "**intensifies the next push**"),
    ],
)
def test_a_modifier_is_said_to_do_what_random_words_do_not(factor: float, expected: str) -> None:
    text = said(factor)
    assert expected in text
    assert f"are multiplied by **{factor:.2f}**".replace("-", "−") in text


def test_where_words_do_not_push_there_is_nothing_to_change() -> None:
    text = said(-1.0, scale=0.01)
    assert "little to modify" in text
    assert "reverses" not in text


def verdict(*arguments: object, **more: object) -> str:
    one = slow_points(*arguments, **more)  # type: ignore[arg-type]
    return resting.said(one, space(path()), "log-odds")


def test_a_line_along_the_class_direction_is_called_a_line() -> None:
    text = verdict(SPREAD_OUT, [1e-3] * 20)
    assert "**close to a line along the class direction**, log-odds −3.00 to +3.00: 90% of their variance" in text
    assert "At 0 of the 20 slow points, a perturbation grows in some direction, as on a line attractor." in text


def test_a_line_in_a_slow_region_is_no_line_attractor() -> None:
    text = verdict(SPREAD_OUT, [1e-3] * 20, (0.998, 0.99, 0.98, 0.5))
    assert "**close to a line along the class direction**" in text
    assert "the median number of directions with τ > 20 words is 3" in text
    assert "a slow region of several dimensions rather than a line attractor" in text
    assert "**500 words**" in text  # 1 / ln(1 / 0.998)
    assert "**20** end at slow points (where a step moves the state by less than 1%" in text


def test_a_line_without_a_slow_direction_is_no_line_attractor() -> None:
    text = verdict(SPREAD_OUT, [1e-3] * 20, (0.9, 0.5))
    assert "the median number of directions with τ > 20 words is zero, so this is not a line attractor" in text


def test_where_deviations_grow_it_is_no_attractor_and_the_slowest_direction_is_another_one() -> None:
    text = verdict(SPREAD_OUT, [1e-3] * 20, (1.25, 0.998, 0.9))
    assert "At 20 of the 20 slow points, a perturbation grows in some direction" in text
    assert ", so the line is not an attractor everywhere." in text
    assert (
        "**500 words** (median τ) to shrink or grow by a factor of e in the slowest direction, and 9 words in" in text
    )


@pytest.mark.parametrize("line", [(0.5, 0.9, 0.9), (0.9, 0.1, 0.9), (0.9, 0.9, 0.2)], ids=["bent", "short", "across"])
def test_another_line_is_not(line: tuple[float, float, float]) -> None:
    text = verdict(SPREAD_OUT, [1e-3] * 20, line=line)
    assert "**not close to a line along the class direction**" in text


def test_a_few_points_are_not_a_line() -> None:
    text = verdict([-1.0] * 6 + [0.0] * 2 + [1.0] * 6, [1e-9] * 14)
    assert "**3 distinct points** (log-odds −1.00 to +1.00); 0 of the searches end where a perturbation grows" in text
    assert "line attractor" not in text


def test_one_point_is_no_line_however_its_rounding_lies() -> None:
    text = verdict([0.5] * 9, [1e-9] * 9, line=(1.0, 0.001, 0.99))
    assert "**the same point**" in text
    assert "line attractor" not in text


def test_without_slow_points_nothing_is_said_of_a_line() -> None:
    text = verdict([0.0, 1.0, 2.0], [0.5, 0.5, 1e-3])
    assert "**1** end at slow points" in text
    assert "too few to form a line" in text
    assert "attractor" not in text


def test_what_the_plane_holds() -> None:
    one = path(direction=(1.0, 0.0, 1.0))
    text = trust(DrawnPath(one, space(one)))
    assert "show **90%** of the variance of 100 states of 3 test documents, and **50%** of the squared" in text
    alone = trust(DrawnPath(one, space(one, np.zeros((0, 3)))))
    assert "this text’s own states" in alone
    assert "dashed line" not in alone
