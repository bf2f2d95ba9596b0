"""What is left of each method's ranks by another network: before training, and as layers are drawn anew."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

import numpy as np
import plotly.graph_objects as go

from nlpviz.figures import panels, phone, theme
from nlpviz.figures.numbers import number
from nlpviz.figures.view import FigureView, Table, provenance
from nlpviz.results.stability import Stability

_ROW, _ROUND = 34, 104  # pixels: of a row, of what is round the matrix
_COLUMN, _NAMES = 56, 160  # pixels that a number and the names of the rows need


def stability_matrix(result: Stability, titles: Mapping[str, str]) -> FigureView:
    """Return a row for each method and a column for each other network: the rank correlation with the one explained.

    Args:
        result: of one text, of at least one method.
        titles: of the methods, as people call them, by name.
    """
    names = [titles[method] for method in result.methods]
    written = [["–" if np.isnan(one) else number(one, signed=False) for one in row] for row in result.correlation]
    columns, rows = list(range(len(result.networks))), list(range(len(names)))
    drawn = theme.figure(
        [
            go.Heatmap(
                z=result.correlation, x=columns, y=rows, xgap=2, ygap=2, showscale=False, zmin=-2, zmax=2,
                colorscale=theme.SIGNED_SCALE, text=written, texttemplate="%{text}",
                textfont={"size": 12, "color": theme.INK},
                customdata=[[f"{escape(name)}, {escape(one)}" for one in result.networks] for name in names],
                hovertemplate="%{customdata}: %{text}<extra></extra>",
            )
        ],
        height=_ROW * len(names) + _ROUND,
        meta=phone.least_width(_COLUMN * len(columns) + _NAMES),
        margin={"l": 8, "r": 8, "t": _ROUND - 16, "b": 8},
        xaxis={
            "tickvals": columns, "ticktext": [escape(one) for one in result.networks], "tickangle": -30,
            "side": "top", "showgrid": False, "zeroline": False,
        },
        yaxis=theme.row_axis([escape(name) for name in names]),
    )  # fmt: skip
    return FigureView(
        figure=drawn,
        alt=_alt(result, names, written),
        table=_table(result),
        caption=provenance(
            panels.checkpoints([result]),
            "Spearman’s correlation with the scores for another network",
            f"layers randomised from the top down, seed {result.seed}",
        ),
        name=panels.file_name([result], "methods-stability"),
    )


def _alt(result: Stability, names: Sequence[str], written: Sequence[Sequence[str]]) -> str:
    said = [
        f"{name}: " + ", ".join(f"{network} {value}" for network, value in zip(result.networks, row, strict=True))
        for name, row in zip(names, written, strict=True)
    ]
    return f"Rank correlations with other networks. {'; '.join(said)}."


def _table(result: Stability) -> Table:
    columns = {network: result.correlation[:, place] for place, network in enumerate(result.networks)}
    return {"method": list(result.methods), "sensitivity": result.sensitivity, **columns}
