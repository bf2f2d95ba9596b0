"""What figures are made of: tables by their rows, error bars, and lines at a value."""

from __future__ import annotations

import numpy as np
import pytest

from nlpviz.figures import theme
from nlpviz.figures.view import padded, table_of


def test_a_row_has_a_value_under_each_heading() -> None:
    assert table_of(("run", "loss"), [("cnn", 0.5), ("lstm", None)]) == {"run": ["cnn", "lstm"], "loss": [0.5, None]}


def test_a_row_with_lists_stands_for_as_many_and_shares_the_rest() -> None:
    losses = np.array([0.1, 0.2], dtype=np.float32)
    table = table_of(("run", "epoch", "loss"), [("cnn", range(1, 3), losses), ("lstm", [7], losses[1:])])
    assert table["run"] == ["cnn", "cnn", "lstm"]
    assert table["epoch"] == [1, 2, 7]
    np.testing.assert_array_equal(table["loss"], [*losses, losses[1]], strict=True)


def test_columns_remain_where_there_is_no_row() -> None:
    assert table_of(("run", "loss"), []) == {"run": [], "loss": []}
    assert table_of(("run", "epoch"), [("cnn", range(0))]) == {"run": [], "epoch": []}


@pytest.mark.parametrize("row", [("cnn",), ("cnn", 1, 2), ([1], [1, 2])])
def test_rows_that_do_not_fit_are_refused(row: tuple[object, ...]) -> None:
    with pytest.raises(ValueError, match=r"zip|unpack"):
        table_of(("run", "epoch"), [row])


def test_numbers_that_some_rows_lack_are_nan() -> None:
    filled = padded(np.array([1, 2], dtype=np.float32), 3)
    np.testing.assert_array_equal(filled, np.array([1, 2, np.nan], dtype=np.float32), strict=True)


def test_whiskers_reach_the_ends_of_the_intervals() -> None:
    bars = theme.whiskers([0.5, 2.0], [(0.25, 1.0), (2.0, 4.0)], theme.INK, width=4)
    assert (bars["array"], bars["arrayminus"], bars["color"], bars["width"]) == ([0.5, 2.0], [0.25, 0.0], theme.INK, 4)


def test_a_line_stands_at_a_value_of_either_axis() -> None:
    upright, level = theme.line_at(3, yref="y domain"), theme.line_at(y=0.5, color=theme.INK, xref="paper")
    assert [upright[end] for end in ("x0", "x1", "y0", "y1")] == [3, 3, 0, 1]
    assert [level[end] for end in ("x0", "x1", "y0", "y1")] == [0, 1, 0.5, 0.5]
    assert (upright["yref"], level["xref"], level["line"]["color"]) == ("y domain", "paper", theme.INK)


def test_rows_stand_under_each_other_with_their_names() -> None:
    axis = theme.row_axis(["first", "second"], least=3, fixedrange=True)
    assert (axis["range"], axis["tickvals"], axis["ticktext"]) == ([2.5, -0.5], [0, 1], ["first", "second"])
    assert axis["fixedrange"]
    assert theme.row_axis(["only"], range=[-0.5, 0.5])["range"] == [-0.5, 0.5]
