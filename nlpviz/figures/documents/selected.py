"""How some documents were learnt, moment by moment, beside all others of the map."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from nlpviz.figures import theme
from nlpviz.figures.view import FigureView, Table, provenance
from nlpviz.results.cartography import Cartography

_QUANTILES = (0.1, 0.5, 0.9)
_LINES = 12
"""So few documents are drawn one by one."""


def selected_stories(found: Cartography, positions: NDArray[np.integer], what: str) -> FigureView:
    """Return the probability of the label at every moment: the median and the middle 80% of some and of all others.

    Args:
        found: N documents.
        positions: of some of them, one at least.
        what: how people call these.
    """
    log, every = found.log, found.log.probabilities
    others = np.ones(len(every), dtype=bool)
    others[positions] = False
    groups: list[tuple[str, NDArray[np.float32], str, str]] = [(what, every[positions], theme.POSITIVE, "0,114,178")]
    if others.any():
        groups.insert(0, ("all others", every[others], theme.MUTED, "133,140,153"))
    traces: list[Any] = []
    table: Table = {"epoch": log.moments}
    bare = {"mode": "lines", "line": {"width": 0}, "hoverinfo": "skip", "showlegend": False}
    for name, rows, color, fill in groups:
        low, middle, high = np.quantile(rows, _QUANTILES, axis=0)
        traces += [
            go.Scatter(x=log.moments, y=high, **bare),
            go.Scatter(x=log.moments, y=low, fill="tonexty", fillcolor=f"rgba({fill},0.18)", **bare),
            go.Scatter(
                x=log.moments, y=middle, mode="lines+markers", name=f"{theme.plain(name)}, {len(rows):,}: median",
                line={"color": color, "width": 2.5, "dash": "solid" if name == what else "dot"},
                hovertemplate="%{y:.2f} at epoch %{x:.2f}<extra></extra>",
            ),
        ]  # fmt: skip
        table |= {f"{name}: 10%": low, f"{name}: median": middle, f"{name}: 90%": high}
    for position in positions if len(positions) <= _LINES else ():
        traces.append(
            go.Scatter(
                x=log.moments, y=every[position], mode="lines", showlegend=False, opacity=0.6,
                line={"color": theme.POSITIVE, "width": 1}, name=log.ids[position] if log.ids else "",
                customdata=[log.ids[position]] * len(log.moments) if log.ids else None,
                hovertemplate="%{fullData.name}: %{y:.2f}<extra></extra>",
            )
        )  # fmt: skip
    drawn = theme.figure(
        traces, height=280, x="epoch", y="P(label)", yaxis_range=[-0.03, 1.03],
        xaxis_range=[-0.15, float(log.moments[-1]) + 0.15],
    )  # fmt: skip
    medians = "; ".join(
        f"{name} {np.median(rows[:, 0]):.2f} at epoch {log.moments[0]:g}, {np.median(rows[:, -1]):.2f} at "
        f"{log.moments[-1]:g}"
        for name, rows, _, _ in groups
    )
    return FigureView(
        figure=drawn,
        alt=f"Median probability of the label by epoch: {medians}.",
        table=table,
        caption=provenance(log.run, f"{len(positions):,} documents {what}", "bands: the middle 80%"),
        name=f"{log.run}-selected-stories",
    )
