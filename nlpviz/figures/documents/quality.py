"""How the labels part and how far the maps can be trusted, epoch by epoch."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan

import plotly.graph_objects as go

from nlpviz.figures import theme
from nlpviz.figures.view import FigureView, provenance
from nlpviz.results.projection import Projection
from nlpviz.results.trust import Trust, trust_of

# attribute of a Projection, what people call it, and how its line looks
_LINES = (
    ("purity", "label purity", theme.POSITIVE, "solid", "circle"),
    ("trustworthiness", "trustworthiness", theme.MUTED, "dot", "diamond"),
    ("silhouette", "silhouette", theme.CATEGORIES[2], "dash", "square"),
)


def quality_by_epoch(projections: Sequence[Projection], title: str, *, height: int = 260) -> FigureView:
    """Return purity, silhouette and trustworthiness as lines over the epochs, the last beside what chance reaches.

    Args:
        projections: of one run, projector and number of dimensions, one an epoch.
        title: what people call the projector.
        height: of the figure, in pixels.
    """
    maps = sorted(projections, key=lambda projection: projection.epoch)
    epochs = [projection.epoch for projection in maps]
    drawn = theme.figure(_lines(maps), height=height, x="epoch", hovermode="x unified")
    drawn.update_layout(
        xaxis={"tickvals": epochs, "range": [epochs[0] - 0.3, epochs[-1] + 0.3]},
        yaxis={"rangemode": "tozero"},
        margin={"t": 36, "b": 46},
    )
    first, last = maps[0], maps[-1]
    said = "; ".join(
        f"{name} {getattr(first, measure):.2f} at epoch {first.epoch}, "
        f"{getattr(last, measure):.2f} at epoch {last.epoch}"
        for measure, name, *_ in _LINES
    )
    variant = ", each epoch fitted separately" if first.alone else ""
    trust = trust_of(last)
    chances = {f"trustworthiness of {what}": value for what, value in _chances(trust).items()}
    return FigureView(
        figure=drawn,
        alt=f"Quality of the {first.dimensions}-D {title} maps by epoch: {said}. Trustworthiness of baselines: "
        f"{trust.compared}; the map of epoch {last.epoch} is {trust.verdict}.",
        table={"epoch": epochs}
        | {name: [getattr(projection, measure) for projection in maps] for measure, name, *_ in _LINES}
        | {name: [value] * len(maps) for name, value in chances.items()},
        caption=provenance(
            first.run,
            f"{len(first.coordinates):,} documents",
            f"{title}, {first.dimensions}-D, seed {first.seed}{variant}",
        ),
        name=f"{first.run}-{first.projector}-{first.dimensions}d{'-alone' if first.alone else ''}-quality",
    )


def _chances(trust: Trust) -> dict[str, float]:
    """Return the trustworthiness that chance reaches, by what it is of."""
    known = {"a random layout": trust.layout, "random vectors": trust.vectors}
    return {what: value for what, value in known.items() if not isnan(value)}


def _lines(maps: Sequence[Projection]) -> list[go.Scatter]:
    """Return one line a measure, and one across for each chance of trustworthiness."""
    ends = [maps[0].epoch - 0.3, maps[-1].epoch + 0.3]
    by_chance = [
        go.Scatter(
            x=ends,
            y=[value, value],
            name=what.removeprefix("a "),
            mode="lines",
            line={"color": theme.MUTED, "dash": dash, "width": 1},
            hoverinfo="skip",
        )
        for (what, value), dash in zip(_chances(trust_of(maps[-1])).items(), ("solid", "dashdot"), strict=False)
    ]
    return by_chance + [
        go.Scatter(
            x=[projection.epoch for projection in maps],
            y=[getattr(projection, measure) for projection in maps],
            name=name,
            mode="lines+markers",
            line={"color": color, "dash": dash, "width": 2.5},
            marker={"symbol": symbol, "size": 8, "color": color},
            hovertemplate="%{y:.3f}",
        )
        for measure, name, color, dash, symbol in _LINES
    ]
