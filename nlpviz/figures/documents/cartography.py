"""Documents by how a network learnt them: the map, one document's story, and how many planted flips are found."""

from __future__ import annotations

from html import escape
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from nlpviz.figures import theme
from nlpviz.figures.view import FigureView, Table, provenance
from nlpviz.results.cartography import NEVER, Cartography
from nlpviz.results.planted import RANKINGS, TOP, PlantedFlips

COLORINGS = {
    "forgotten": "forgetting events",
    "learnt": "first correct",
    "label": "label",
    "length": "length",
}
"""What the points may be coloured by, and what people call it."""
_NEVER = ("never correct", theme.NEGATIVE, "diamond")
_RAMP = ((0.0, theme.MUTED), (1.0, theme.CATEGORIES[4]))
"""From what most documents are to what stands out, on a light page and on a dark one."""
_LOOKS = ("circle", "diamond", "square", "cross")
_REGIONS = (
    ("easy to learn", 0.45, 0.985, "left"),
    ("ambiguous", 0.99, 0.5, "right"),
    ("hard to learn", 0.3, 0.015, "left"),
)
"""What Swayamdipta et al. call the corners of the map, written beside their points, in shares of the panel."""
_LINES = {
    "confidence": ("solid", theme.POSITIVE),
    "margin": ("dash", theme.CATEGORIES[2]),
    "loss": ("dot", theme.NEGATIVE),
    "self": ("dashdot", theme.CATEGORIES[3]),
}


def training_map(
    found: Cartography, color: str, selected: str | None, document: str, loop: NDArray[np.floating] | None = None
) -> FigureView:
    """Return documents by variability (x) and confidence (y).

    Args:
        found: N documents, with ids.
        color: one of :data:`COLORINGS`.
        selected: the id of the document to ring; None for none.
        document: what a document of the corpus is called.
        loop: corners, (C, 2), of what is drawn round some of them; None for nothing.
    """
    log = found.log
    shown: list[Any] = []
    for name, at, look in _groups(found, color):
        shown.append(
            go.Scattergl(
                x=found.variability[at],
                y=found.confidence[at],
                mode="markers",
                name=escape(name),
                showlegend=bool(name),
                marker={"size": 4, "opacity": 0.55, **look},
                customdata=[log.ids[position] for position in at],
                text=found.forgotten[at],
                hovertemplate="%{customdata}<br>mean confidence %{y:.2f}, variability %{x:.2f}, forgotten %{text} times"
                "<extra></extra>",
            )
        )
    ringed = [log.ids.index(selected)] if selected in log.ids else []
    ring = {"size": 15, "symbol": "circle-open", "color": theme.INK, "line": {"width": 3, "color": theme.INK}}
    shown.append(
        go.Scattergl(
            x=found.variability[ringed],
            y=found.confidence[ringed],
            mode="markers",
            marker=ring,
            showlegend=False,
            hoverinfo="skip",
            name="selected",
        )
    )
    notes = [
        {
            "text": f"<b>{text}</b>", "x": x, "y": y, "xref": "x domain", "yref": "y domain", "showarrow": False,
            "xanchor": side, "yanchor": "middle" if y == 0.5 else "top" if y > 0.5 else "bottom",
            "font": {"size": 13, "color": theme.INK}, "bgcolor": theme.SURFACE, "opacity": 0.85,
        }
        for text, x, y, side in _REGIONS
    ]  # fmt: skip
    drawn = theme.figure(
        shown,
        height=520,
        x="variability (standard deviation of the probability)",
        y="mean confidence (probability of the label)",
        annotations=notes,
        shapes=[] if loop is None else [_outline(loop)],
        xaxis_range=[-0.01, max(float(found.variability.max()) * 1.03, 0.1)],
        yaxis_range=[-0.03, 1.03],
        uirevision=f"{log.run} dynamics",
        showlegend=color == "label" or (color == "learnt" and bool((found.first_learnt == NEVER).any())),
    )
    return FigureView(
        figure=drawn,
        alt=f"Map of {len(log.labels):,} {document}s by how {log.run} learnt them, coloured by {COLORINGS[color]}. "
        f"Medians: mean confidence {np.median(found.confidence):.2f}, variability {np.median(found.variability):.2f}; "
        f"{int((found.forgotten > 0).sum()):,} were forgotten at least once, "
        f"{int((found.first_learnt == NEVER).sum()):,} were never correct.",
        table=_table(found),
        caption=provenance(log.run, f"{len(found.moments)} moments, epoch {_span(found)}", "averaged weights"),
        name=f"{log.run}-training-dynamics",
    )


def _outline(loop: NDArray[np.floating]) -> dict[str, Any]:
    path = " L ".join(f"{x:.4f},{y:.4f}" for x, y in loop.tolist())
    return {
        "type": "path", "path": f"M {path} Z", "fillcolor": "rgba(133,140,153,0.12)",
        "line": {"color": theme.INK, "width": 1.5, "dash": "dash"},
    }  # fmt: skip


def story(found: Cartography, position: int) -> FigureView:
    """Return the probability of one document's label at every moment, beside all documents of the map.

    Args:
        found: N documents.
        position: of the one, 0 to N - 1.
    """
    log = found.log
    given, every = log.probabilities[position], log.probabilities
    low, middle, high = np.quantile(every, (0.1, 0.5, 0.9), axis=0)
    moments, right = log.moments, log.right[position]
    band = {"mode": "lines", "line": {"width": 0}, "hoverinfo": "skip", "showlegend": False}
    marks = {
        "size": 9,
        "symbol": ["circle" if one else "diamond-open" for one in right],
        "color": [theme.POSITIVE if one else theme.NEGATIVE for one in right],
        "line": {"width": 2, "color": [theme.POSITIVE if one else theme.NEGATIVE for one in right]},
    }
    shown = [
        go.Scatter(x=moments, y=high, **band),
        go.Scatter(x=moments, y=low, fill="tonexty", fillcolor="rgba(133,140,153,0.22)", **band),
        go.Scatter(
            x=moments, y=middle, mode="lines", name="median of all, with the middle 80%",
            line={"color": theme.MUTED, "dash": "dot", "width": 2}, hovertemplate="median %{y:.2f}<extra></extra>",
        ),
        go.Scatter(
            x=moments, y=given, mode="lines+markers", name=escape(_name(found, position)), marker=marks,
            line={"color": theme.INK, "width": 2}, hovertemplate="%{y:.2f} at epoch %{x:.2f}<extra></extra>",
        ),
    ]  # fmt: skip
    drawn = theme.figure(
        shown,
        height=300,
        x="epoch",
        y=f"P({theme.plain(log.class_names[log.labels[position]])}), its label",
        yaxis_range=[-0.03, 1.03],
        xaxis_range=[-0.15, float(moments[-1]) + 0.15],
    )
    return FigureView(
        figure=drawn,
        alt=f"Probability of the label of {_name(found, position)} by epoch: "
        + ", ".join(f"{share:.2f} at {moment:g}" for moment, share in zip(moments, given, strict=True)),
        table={
            "epoch": moments,
            "P(label)": given,
            "right": right.tolist(),
            "median of all": middle.astype(np.float32),
        },
        caption=provenance(log.run, _name(found, position), "filled circle: correct; open diamond: wrong"),
        name=f"{log.run}-story",
    )


def planted_curve(flips: PlantedFlips) -> FigureView:
    """Return the share of planted flips that are found as more suspects are read, by each ranking and by chance."""
    tops = np.arange(0, 51) / 100
    curves = {name: flips.curve(name, tops) for name in flips.rankings}
    shown: list[Any] = [
        go.Scatter(
            x=tops, y=curve, mode="lines", name=RANKINGS[name],
            line={"dash": _LINES[name][0], "color": _LINES[name][1], "width": 2.5},
            hovertemplate="%{y:.1%} of the flipped labels in the top %{x:.0%}<extra></extra>",
        )
        for name, curve in curves.items()
    ]  # fmt: skip
    chance = {"color": theme.MUTED, "width": 1.5, "dash": "longdash"}
    shown.append(go.Scatter(x=tops, y=tops, mode="lines", name="chance", line=chance, hoverinfo="skip"))
    drawn = theme.figure(
        shown, height=340, x="share of training documents checked, most suspect first", y="flipped labels found",
        xaxis={"tickformat": ".0%", "range": [0, 0.5]}, yaxis={"tickformat": ".0%", "range": [0, 1.02]},
    )  # fmt: skip
    drawn.add_shape(type="line", x0=TOP, x1=TOP, y0=0, y1=1, yref="y domain", line={"color": theme.MUTED, "width": 1})
    said = "; ".join(f"{flips.found(name).share:.1%} by {RANKINGS[name]}" for name in flips.rankings)
    return FigureView(
        figure=drawn,
        alt=f"Flipped labels found among the top {TOP:.0%} of suspects: {said}; {TOP:.0%} by chance.",
        table={"read": tops, **{RANKINGS[name]: curve for name, curve in curves.items()}, "chance": tops},
        caption=provenance(
            f"{flips.run} with {flips.share:.0%} of its labels flipped, seed {flips.seed}",
            f"{len(flips.moments)} moments, {flips.moments[-1]:g} epochs",
        ),
        name=f"{flips.run}-planted-flips",
    )


def _groups(found: Cartography, color: str) -> list[tuple[str, NDArray[np.intp], dict[str, Any]]]:
    """Return the documents that are drawn alike: their name, their positions, the last on top, and their look."""
    log = found.log
    if color == "label":
        hues = (theme.NEGATIVE, theme.POSITIVE) if len(log.class_names) == 2 else theme.CATEGORIES
        return [
            (name, np.flatnonzero(log.labels == label), _plain(label, hues))
            for label, name in enumerate(log.class_names)
        ]
    if color == "forgotten":
        order = np.argsort(found.forgotten, kind="stable")  # most are never forgotten, and would hide the others
        steps = max(1, int(found.forgotten.max()) // 5)
        return [("", order, _scale(found.forgotten[order], "forgotten", dtick=steps))]
    if color == "length":
        ticks = [value for value in (10, 30, 100, 300, 1000, 3000) if value <= log.tokens.max() * 1.5]
        look = _scale(np.log10(np.maximum(log.tokens, 1)), "tokens")
        look["colorbar"] |= {"tickvals": np.log10(ticks).tolist(), "ticktext": [f"{value:,}" for value in ticks]}
        return [("", np.arange(len(log.labels)), look)]
    never = np.flatnonzero(found.first_learnt == NEVER)
    order = np.argsort(found.first_learnt, kind="stable")[: len(found.first_learnt) - len(never)]
    name, hue, symbol = _NEVER
    marked = {"color": hue, "symbol": symbol, "size": 5, "opacity": 0.8}
    return [("", order, _scale(found.first_learnt[order], "first correct<br>(epoch)")), (name, never, marked)]


def _plain(label: int, hues: tuple[str, ...]) -> dict[str, Any]:
    return {"color": hues[label % len(hues)], "symbol": _LOOKS[(label + label // len(hues)) % len(_LOOKS)]}


def _scale(values: NDArray[Any], title: str, **more: object) -> dict[str, Any]:
    """Return the look of points along a scale."""
    bar = {"title": {"text": title, "font": {"size": 13}}, "thickness": 12, "outlinewidth": 0, "len": 0.8, **more}
    return {"color": values.astype(np.float32), "colorscale": _RAMP, "colorbar": bar}


def _table(found: Cartography) -> Table:
    """Return all documents, the most suspect first."""
    order, log = found.suspects, found.log
    return {
        "id": [log.ids[position] for position in order],
        "label": [log.class_names[log.labels[position]] for position in order],
        "mean confidence": found.confidence[order],
        "variability": found.variability[order],
        "share of moments predicted correctly": found.correctness[order],
        "forgotten": found.forgotten[order],
        "first correct (epoch)": np.where(found.first_learnt[order] == NEVER, np.nan, found.first_learnt[order]),
        "loss at the end (nats)": found.loss[order],
        "tokens": log.tokens[order],
    }


def _name(found: Cartography, position: int) -> str:
    return found.log.ids[position] if found.log.ids else f"document {position}"


def _span(found: Cartography) -> str:
    return f"{found.moments[0]:g} to {found.moments[-1]:g}"
