"""Frames of a figure that plays: what travels is what is different, and it says the same."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest
from numpy.typing import NDArray

from nlpviz.figures.frames import Frame, FrameTrace, Playback

IDS = ["a", "b", "c"]


def trace(x: list[float], ids: list[str], color: str = "#000000") -> go.Scatter:
    return go.Scatter(x=np.array(x, np.float32), y=np.array(x, np.float32), customdata=ids, marker={"color": color})


def packed(base: list[Any], traces: list[Any], first: int = 0) -> Any:
    frame = Frame("1", "Epoch 1", traces, {"annotations": [{"text": "Epoch 1"}]}, "alt", "caption", "name")
    return Playback("0", first, (frame,)).packed(base)["frames"][0]


def numbers(column: dict[str, Any]) -> NDArray[np.float64]:
    steps = np.frombuffer(base64.b64decode(column["bdata"]), "<u2")
    return column["from"] + column["step"] * steps


def test_coordinates_come_back_to_less_than_a_pixel() -> None:
    generator = np.random.default_rng(0)
    places = generator.normal(size=500).tolist()
    ids = [str(number) for number in range(500)]
    (data,) = packed([trace([0.0] * 500, ids)], [trace(places, ids)])["data"]
    assert np.abs(numbers(data["x"]) - places).max() < np.ptp(places) / 100_000
    assert "ids" not in data
    assert "marker" not in data


@pytest.mark.parametrize("places", [[], [2.5], [2.5, 2.5, 2.5]])
def test_no_point_one_and_all_at_one_place(places: list[float]) -> None:
    ids = IDS[: len(places)]
    (data,) = packed([trace([float(number) for number in range(len(places))], ids)], [trace(places, ids)])["data"]
    assert numbers(data["x"]).tolist() == places if places else not data


def test_points_that_change_their_trace_are_named_by_their_numbers() -> None:
    base = [trace([9.0], ["other"]), trace([0.0, 1.0], ["a", "b"]), trace([2.0], ["c"])]
    frame = packed(base, [trace([0.0], ["a"]), trace([2.0, 1.0], ["c", "b"])], first=1)
    ids = [np.frombuffer(base64.b64decode(data["ids"]["bdata"]), "<u2").tolist() for data in frame["data"]]
    assert ids == [[0], [2, 1]]


def test_what_is_different_in_a_mark_travels_alone() -> None:
    (data,) = packed([trace([0.0], ["a"])], [trace([0.0], ["a"], color="#FFFFFF")])["data"]
    assert data == {"marker": {"color": "#FFFFFF"}}


def test_the_frame_that_the_figure_is_needs_nothing() -> None:
    shown = Frame("0", "Epoch 0", [trace([0.0], ["a"])], {}, "alt", "caption", "name")
    assert Playback("0", 0, (shown,)).packed([trace([0.0], ["a"])])["frames"][0]["data"] == []


def test_what_is_said_of_a_point_stays_with_it() -> None:
    base, moved = (
        [trace([0.0, 1.0], ["a", "b"]), trace([2.0], ["c"])],
        [trace([0.0], ["a"]), trace([2.0, 1.0], IDS[:0:-1])],
    )
    for one in (*base, *moved):
        one.hovertext = [f"about {identifier}" for identifier in one.customdata]
    assert all("hovertext" not in data for data in packed(base, moved)["data"])


def test_a_trace_of_a_frame_need_not_be_plotlys() -> None:
    base, moved = [trace([0.0, 1.0], ["a", "b"])], trace([0.5, 1.0], ["a", "b"])
    plain = FrameTrace(x=moved.x, y=moved.y, customdata=["a", "b"], marker={"color": "#000000"})
    assert packed(base, [plain]) == packed(base, [moved])


def test_the_first_scene_is_called_as_the_figure_calls_it() -> None:
    scenes = {f"scene{number}": {"annotations": [{"text": "x"}]} for number in (1, 2)}
    figure = go.Figure([go.Scatter3d(x=[0], y=[0], z=[0], scene="scene1")], {"scene1": scenes["scene1"]})
    frame = Frame("1", "Epoch 1", [trace([0.0], ["a"])], scenes, "alt", "caption", "name")
    (sent,) = Playback("0", 0, (frame,)).packed(figure.data)["frames"]
    assert set(sent["layout"]) == {"scene", "scene2"}
    assert sent["layout"]["scene"] == scenes["scene1"]
    assert "scene" in figure.to_plotly_json()["layout"]
