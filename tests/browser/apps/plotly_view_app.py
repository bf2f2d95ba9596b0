"""Does the figure keep its view, hear clicks and follow the page?

A page of its own for the tests of the figure component: five points, in two or three dimensions.
"""

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from nlpviz.figures import map_panels, theme
from nlpviz.figures.view import FigureView, provenance
from nlpviz.ui import frame, plotly_view

plotly_view.link_terms({"Toy run": "toy-run", "toy": "toy", "epoch": "epoch"})
frame.begin_page("Test")
frame.ask(__doc__)
if "private" in st.query_params:
    plotly_view.text_is_private(st.query_params["private"])

with frame.controls():
    kind = st.selectbox("Kind", ["scatter", "scattergl", "scatter3d", "panels"], key="kind", bind="query-params")
    epoch = st.selectbox("Epoch", [0, 1])
    color = st.selectbox("Colour", ["blue", "orange"])
    nothing = st.selectbox("Nothing", ["a", "b"])

# at each epoch, in each kind, one point lies in the very middle: p2
positions = np.array([[-2, -1, 1], [2, -1, -1], [0, 0, 0], [-2, 1, -1], [2, 1, 1]], np.float32) * (1 + epoch / 4)
trace = {"scattergl": go.Scattergl, "scatter3d": go.Scatter3d}.get(kind, go.Scatter)
coordinates = dict(zip("xyz" if kind == "scatter3d" else "xy", positions.T, strict=False))
points = trace(
    **coordinates,
    mode="markers",
    customdata=[f"p{number}" for number in range(5)],
    marker={"size": 14, "color": theme.POSITIVE if color == "blue" else theme.NEGATIVE},
    name="points",
    showlegend=True,
)
look = {"meta": map_panels.MAP} if kind != "panels" else {}
drawn = theme.figure([points], height=420, x="first", y="second", xaxis_range=[-4, 4], yaxis_range=[-2, 2], **look)
if kind == "panels":  # the same points twice, side by side
    drawn.add_trace(go.Scatter(points, xaxis="x2"))
    drawn.update_layout(xaxis_domain=[0, 0.45], xaxis2={"domain": [0.55, 1], "range": [-4, 4]})
view = FigureView(
    figure=drawn,
    alt="Five points <b>round</b> the middle",
    table={
        "point, its name": [f"p{number}" for number in range(5)],
        "x": positions[:, 0] / 10,
        "count": np.arange(5),
        "note": ['<i>"quoted"</i>, with comma', None, float("nan"), "", "#"],
    },
    caption=provenance("toy-run", f"epoch {epoch}", "<b>", "of the toy run"),
    name="toy run/epoch",
)
plotly_view.show(view, key="figure", on_click=lambda picked: st.session_state.update(picked=picked))
st.text(f"picked: {st.session_state.get('picked', 'none')}")
st.text(f"nothing: {nothing}")
