"""Numbers as people read them."""

from __future__ import annotations

import pytest

from nlpviz.figures.numbers import brief, percent


@pytest.mark.parametrize(
    ("share", "written"),
    [
        (0.1234, "12.3%"), (1.0, "100.0%"), (0.00094, "0.09%"), (0.000016, "0.002%"), (9.6e-7, "0.0001%"),
        (2.4e-8, "2 × 10⁻⁸"), (0.0, "0%"),
    ],
)  # fmt: skip
def test_a_share_is_written_without_an_exponent_of_a_machine(share: float, written: str) -> None:
    assert percent(share) == written


@pytest.mark.parametrize(
    ("value", "written"),
    [(0.0, "0"), (0.25, "0.25"), (-0.224, "−0.22"), (1.3e-9, "1.3 × 10⁻⁹"), (-4.1e6, "−4.1 × 10⁶"), (1234.0, "1,234")],
)
def test_a_brief_number_has_no_exponent_of_a_machine(value: float, written: str) -> None:
    assert brief(value) == written
