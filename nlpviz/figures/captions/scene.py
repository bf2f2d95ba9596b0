"""A scene as the network sees it; a click on a place hands it on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from nlpviz.figures import theme
from nlpviz.figures.view import FigureView, provenance

CLICKED = 4
"""Pixels of a place that can be clicked, in width and height."""
_HEIGHT = 400


def scene_figure(image: NDArray[np.uint8], objects: Sequence[str], about: str) -> FigureView:
    """Return the image with its objects; a click hands on ``y * 1000 + x`` of a pixel.

    Args:
        image: uint8 (3, S, S).
        objects: what is drawn, in words, each with its place.
        about: which scene it is, for the caption.
    """
    side = image.shape[1]
    centres = np.arange(CLICKED // 2, side, CLICKED)
    drawn = theme.figure(
        [
            picture(image),
            go.Heatmap(
                z=np.zeros((len(centres), len(centres))), x=centres, y=centres, opacity=0, showscale=False,
                customdata=(centres[:, None] * 1000 + centres[None, :]).astype(np.int32),
                hovertemplate="%{x}, %{y}<extra></extra>",
            ),
        ],
        height=_HEIGHT, margin={"l": 8, "r": 8, "t": 8, "b": 8}, showlegend=False, **square("x", "y", side),
    )  # fmt: skip
    return FigureView(
        figure=drawn,
        alt=f"A synthetic scene of {side} by {side} pixels: {'; '.join(objects) or 'empty'}.",
        table={"object": list(objects) or ["none"]},
        caption=provenance("synthetic scene", about, f"{side} × {side} pixels, as the network sees it"),
        name="scene",
    )


def image_figure(image: NDArray[np.uint8], about: str, people: Sequence[str]) -> FigureView:
    """Return an image of which nobody knows what is on it but by what people wrote.

    Args:
        image: uint8 (3, S, S).
        about: which one it is, for the caption.
        people: their captions.
    """
    side = image.shape[1]
    drawn = theme.figure(
        [picture(image)], height=_HEIGHT, margin={"l": 8, "r": 8, "t": 8, "b": 8}, showlegend=False,
        **square("x", "y", side),
    )  # fmt: skip
    return FigureView(
        figure=drawn,
        alt=f"{about}, scaled to {side} by {side} pixels. Human captions: {'; '.join(people)}",
        table={"human captions": list(people)},
        caption=provenance(about, f"{side} × {side} pixels, as the network sees it"),
        name="image",
    )


def picture(image: NDArray[np.uint8], **axes: str) -> go.Image:
    """Return an image (3, S, S) as a trace."""
    return go.Image(z=image.transpose(1, 2, 0), hoverinfo="skip", **axes)


def square(x: str, y: str, side: int, towards: tuple[str, str] = ("center", "middle")) -> dict[str, Any]:
    """Return two axes, by their names in a trace, that show an image whole, undistorted and without ticks.

    Args:
        x: the name of one axis, ``"x"`` or ``"x2"``.
        y: that of the other.
        side: pixels of the image, in width and height.
        towards: where it stands in a larger room.
    """
    bare = {"showgrid": False, "zeroline": False, "showticklabels": False, "ticks": ""}
    long = {name: f"{name[0]}axis{name[1:]}" for name in (x, y)}
    return {
        long[x]: {
            **bare,
            "range": [-0.5, side - 0.5],
            "constrain": "domain",
            "constraintoward": towards[0],
            "anchor": y,
        },
        long[y]: {
            **bare,
            "range": [side - 0.5, -0.5],
            "constrain": "domain",
            "constraintoward": towards[1],
            "scaleanchor": x,
            "anchor": x,
        },
    }
