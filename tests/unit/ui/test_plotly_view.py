"""What the figure component sends, and the library that it serves."""

from __future__ import annotations

import base64
import json

import numpy as np
import pytest
from numpy.typing import NDArray
from streamlit.testing.v1 import AppTest

from nlpviz.ui import plotly_view


@pytest.mark.parametrize(
    ("column", "dtype"),
    [
        (np.array([0.1, np.nan], np.float32), "f4"),
        (np.array([0.1, 2], np.float16), "f4"),
        (np.array([1, 2**40]), "f8"),
        (np.array([1, 2], np.uint8), "u1"),
        (np.array([1.5, 2], ">f8"), "f8"),
    ],
)
def test_numbers_are_packed(column: NDArray[np.generic], dtype: str) -> None:
    packed = plotly_view._column(column)
    assert isinstance(packed, dict)
    assert packed["dtype"] == dtype
    unpacked = np.frombuffer(base64.b64decode(packed["bdata"]), f"<{dtype}")
    np.testing.assert_array_equal(unpacked, column.astype(dtype))


def test_other_columns_become_plain_lists() -> None:
    assert plotly_view._column(["a", None, float("nan"), np.float32(0.5), True]) == ["a", None, None, 0.5, True]
    assert plotly_view._column(np.array([True, False])) == [True, False]
    assert plotly_view._column(np.array(["a", "b"])) == ["a", "b"]


def page() -> None:
    """Stand in for a page with one figure."""
    import plotly.graph_objects as go

    from nlpviz.figures import theme
    from nlpviz.figures.view import FigureView
    from nlpviz.ui import plotly_view

    drawn = theme.figure([go.Scatter(x=[1], y=[2], customdata=["a"])])
    view = FigureView(drawn, alt="One point", table={"x": [1]}, caption="toy", name="toy")
    plotly_view.show(view, key="toy", on_click=print)


def test_figure_is_sent_as_json_with_the_colours_of_both_themes() -> None:
    app = AppTest.from_function(page).run()
    assert not app.exception
    sent = json.loads(app.get("bidi_component")[0].proto.json)
    assert sent["figure"]["data"][0]["customdata"] == ["a"]
    assert sent["alt"] == "One point"
    assert sent["clickable"] is True
    assert sent["onDark"]["#0072B2"] == "#58A6DD"
    assert sent["plotly"] == "./app/static/plotly.min.js"
