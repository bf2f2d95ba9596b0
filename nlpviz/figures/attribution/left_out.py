"""How far predictions move when training leaves documents out: those of most influence, and random ones."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
import plotly.graph_objects as go

from nlpviz.figures import phone, theme
from nlpviz.figures.view import FigureView, Table, provenance
from nlpviz.results.left_out import LeftOut

_ROW, _ROUND = 19, 110  # pixels: of a text, of what is round the rows
_IDS, _BESIDE = 110, 230  # pixels beside the rows: for ids, for how texts begin
_LOOKS = {
    "random": ("{count} random documents left out", "circle-open", theme.MUTED, 7),
    "same": ("{count} random documents of the predicted class left out", "diamond-open", theme.MUTED, 7),
    "seeds": ("nothing left out, another seed", "x-thin-open", theme.MUTED, 7),
    "top": ("the {count} most influential documents left out", "circle", theme.NEGATIVE, 10),
}


def left_out_dots(found: LeftOut, begins: Mapping[str, str] = MappingProxyType({})) -> FigureView:
    """Return a row for each test text, the one that moved farthest on top: the change of its log-odds.

    Args:
        found: what moved.
        begins: how texts begin, by id; where the figure is narrow, and without them, rows have their ids.
    """
    moved = {name: found.moved(name) for name in _LOOKS}
    order = np.argsort(moved["top"][:, 0], kind="stable")
    labels = [found.ids[place] for place in order]
    dots = []
    for name, (title, symbol, color, size) in _LOOKS.items():
        values = moved[name][order]
        dots.append(
            go.Scatter(
                x=values.ravel(), y=np.repeat(labels, values.shape[1]).tolist(), mode="markers",
                name=title.format(count=found.count),
                marker={"symbol": symbol, "color": color, "size": size, "line": {"width": 1.5, "color": color}},
                hovertemplate="%{y}: %{x:+.3f}<extra></extra>",
            )
        )  # fmt: skip
    drawn = theme.figure(
        dots, height=_ROW * len(labels) + _ROUND, x="change in the log-odds of the predicted class",
        xaxis={"zeroline": True}, margin={"l": _BESIDE if begins else _IDS},
        yaxis={
            "type": "category", "range": [len(labels) - 0.5, -0.5], "tickfont": {"size": 11, "color": theme.MUTED},
            "tickvals": labels, "ticktext": [theme.plain(begins.get(one, one)) for one in labels],
        },
        meta=phone.where_narrow({"margin.l": _IDS, "yaxis.ticktext": labels}),
    )  # fmt: skip
    means = {name: float(np.abs(values).mean()) if values.size else float("nan") for name, values in moved.items()}
    table: Table = {
        "id": list(found.ids),
        "predicted": list(found.classes),
        "log-odds": found.whole,
    }
    for name, values in moved.items():
        table |= {f"{name} {place + 1}" if name != "top" else "top": one for place, one in enumerate(values.T)}
    return FigureView(
        figure=drawn,
        alt=f"Mean absolute change in the log-odds of {len(labels)} test texts: without the {found.count} most "
        f"influential documents {means['top']:.2f}, without random documents {means['random']:.2f}, without random "
        f"documents of the predicted class {means['same']:.2f}.",
        table=table,
        caption=provenance(
            found.run, f"trained {found.training}", f"{found.count} of {found.documents:,} documents left out"
        ),
        name=f"{found.run}-left-out",
    )
