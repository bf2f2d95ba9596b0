"""Two bare pages with the same map of many points, one by our component and one by ``st.plotly_chart``.

``?by=own`` or ``?by=native``, and ``?points=25000``. The select boxes change colours and places, as on the page of
documents.
"""

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from nlpviz.figures import theme
from nlpviz.figures.view import FigureView
from nlpviz.ui import plotly_view

points = int(st.query_params.get("points", "2000"))
native = st.query_params.get("by") == "native"
if not native:
    plotly_view.fetch_early()
rng = np.random.default_rng(0)
positions = rng.normal(size=(points, 2)).astype(np.float32)
epoch = int(st.selectbox("Epoch", ["0", "1"]))
positions += epoch * rng.normal(scale=0.2, size=positions.shape).astype(np.float32)
color = st.selectbox("Colour", ["label", "rating"])
values = rng.random(points) if color == "rating" else (positions[:, 0] > 0).astype(float)
kind = go.Scattergl if points > 9000 else go.Scatter
marks = kind(
    x=positions[:, 0],
    y=positions[:, 1],
    mode="markers",
    marker={"size": 5, "color": values, "colorscale": theme.MAGNITUDE_SCALE, "opacity": 0.7},
    customdata=[f"test/{number}" for number in range(points)],
    hovertemplate="%{customdata}<extra></extra>",
)
figure = theme.figure([marks], height=470)
if native:
    st.plotly_chart(figure, key="map")
else:
    plotly_view.show(FigureView(figure, "A map.", {"x": positions[:, 0]}, "made up", "map"), key="map")
