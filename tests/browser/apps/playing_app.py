"""Does a map play, stop, and tell the page where it was left?

A page of its own for the tests of figures that play: 40 points at four epochs, in two or three dimensions.
"""

import time

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from nlpviz.figures import map_panels, theme
from nlpviz.figures.frames import Frame, Playback
from nlpviz.figures.view import FigureView, provenance
from nlpviz.ui import frame, plotly_view

EPOCHS = ("0", "1", "2", "3")

time.sleep(float(st.query_params.get("late", 0)))  # a machine so slow that its visitor is always ahead of it

frame.begin_page("Test")
frame.ask(__doc__)

with frame.controls():
    kind = st.selectbox("Kind", ["scatter", "scattergl", "scatter3d"], key="kind", bind="query-params")
    epoch = st.selectbox("Epoch", EPOCHS, index=3, key="epoch")
    color = st.selectbox("Colour", ["blue", "orange"])
    points = int(st.selectbox("Points", ["40", "2000"], key="points", bind="query-params"))
    pace = int(st.selectbox("Pace", ["500", "600000"], key="pace", bind="query-params"))

drawn_by = {"scatter": go.Scatter, "scattergl": go.Scattergl, "scatter3d": go.Scatter3d}[kind]
angles = np.linspace(0, 2 * np.pi, points, endpoint=False)
circle = np.stack([np.cos(angles), np.sin(angles), np.sin(2 * angles)]).astype(np.float32)


def trace(shown: str) -> go.Scatter:
    """Return the points at an epoch: a circle that grows, each point named."""
    places = dict(zip("xyz" if kind == "scatter3d" else "xy", circle * (1 + int(shown)), strict=False))
    look = {"size": 8, "color": theme.POSITIVE if color == "blue" else theme.NEGATIVE}
    return drawn_by(**places, mode="markers", customdata=[f"p{number}" for number in range(points)], marker=look)


def heading(shown: str) -> list[dict[str, object]]:
    """Return what stands over the map."""
    return [map_panels.title({"x": (0, 1), "y": (0, 1)}, f"Epoch {shown}")]


def caption(shown: str) -> str:
    """Return where the numbers come from."""
    return provenance("toy-run", f"epoch {shown}")


frames = tuple(
    Frame(one, f"Epoch {one}", [trace(one)], {"annotations": heading(one)}, f"A circle at epoch {one}",
          caption(one), f"toy-epoch-{one}")
    for one in EPOCHS
)  # fmt: skip
scene = {"scene": {axis + "axis": {"range": [-5, 5]} for axis in "xyz"}} if kind == "scatter3d" else {}
drawn = theme.figure(
    [trace(epoch)], height=420, xaxis_range=[-5, 5], yaxis_range=[-5, 5], annotations=heading(epoch),
    meta=map_panels.MAP, **scene,
)  # fmt: skip
view = FigureView(
    figure=drawn,
    alt=f"A circle at epoch {epoch}",
    table={"x": circle[0]},
    caption=caption(epoch),
    name=f"toy-epoch-{epoch}",
    playback=Playback(epoch, 0, frames, pace=pace),
)
plotly_view.show(view, key="playing", on_frame=lambda value: st.session_state.update(epoch=value))
st.text(f"epoch on the page: {epoch}")
