"""How many neighbours are others, by epoch, seed and network, beside the band of the seeds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go

from nlpviz.figures import theme
from nlpviz.figures.view import FigureView, Table, provenance, table_of
from nlpviz.results.drift import ComparedSpace, Drift, Verdict

GROUPS = {"epochs": "epochs", "seeds": "other seeds", "networks": "other networks"}
"""What stands in the figure, one group under the other, and what people call it."""
_ROW, _ROUND = 23, 84  # pixels: of a row, of what is round the rows
_LOOKS = {
    Verdict.BEYOND: ("circle", theme.NEGATIVE, "change: above the seed band"),
    Verdict.WITHIN: ("circle-open", theme.POSITIVE, "within the seed band"),
    Verdict.BELOW: ("triangle-left-open", theme.POSITIVE, "below the seed band"),
    Verdict.UNKNOWN: ("x-thin-open", theme.MUTED, "seed noise unknown"),
}
_BAND = "rgba(0,114,178,0.16)"


def drift_dots(drift: Drift, selected: str, document: str) -> FigureView:
    """Return a row for each epoch, seed and network: the mean share of neighbours that are others, with its interval.

    Args:
        drift: with one comparison at least.
        selected: the key of the one that stands out.
        document: what a document of the corpus is called.
    """
    rows = in_order(drift)
    places = _places(rows)
    traces = [_dots(rows, places, verdict) for verdict in _LOOKS if any(one.verdict is verdict for one in rows)]
    top = -1.5  # room for what the lines are called
    bottom = max(places) + 0.8
    shapes: list[dict[str, Any]] = [
        {"type": "line", "x0": drift.by_chance, "x1": drift.by_chance, "y0": top, "y1": bottom, "layer": "below",
         "line": {"color": theme.MUTED, "dash": "dash", "width": 1.5}}
    ]  # fmt: skip
    if drift.floor is not None:
        low, high = drift.floor.band
        shapes.append(
            {"type": "rect", "x0": low, "x1": high, "y0": top, "y1": bottom, "layer": "below", "fillcolor": _BAND,
             "line": {"width": 0}}
        )  # fmt: skip
    names = [_name(one, selected) for one in rows]
    drawn = theme.figure(
        traces, height=_ROW * (len(rows) + 2) + _ROUND,
        x="changed neighbours", margin={"l": 8, "r": 16, "b": 52},
        xaxis={"tickformat": ".0%", "range": [-0.02, 1.04]},
        yaxis={
            "tickvals": places, "ticktext": names, "range": [bottom, top], "showgrid": True, "zeroline": False,
            "tickfont": {"size": 12, "color": theme.INK},
        },
        shapes=shapes, annotations=_notes(drift, rows, places), legend={"y": 1.0, "yanchor": "bottom"},
    )  # fmt: skip
    return FigureView(
        figure=drawn,
        alt=_alt(drift, rows, document),
        table=_table(rows),
        caption=provenance(
            f"{drift.run}, epoch {drift.epoch}, {len(drift.ids):,} test {document}s",
            "neighbours by cosine between document embeddings",
            "dots: mean and 95% interval",
            f"band: {len(drift.floor.pairs)} pair{'s' * (len(drift.floor.pairs) != 1)} of seeds, "
            f"{', '.join(map(str, drift.seeds))}" if drift.floor else "only one seed",
        ),
        name=f"{drift.run}-drift",
    )  # fmt: skip


def in_order(drift: Drift) -> list[ComparedSpace]:
    """Return all comparisons as they are listed: epochs, seeds, then networks, the least different one first."""
    networks = sorted(drift.group("networks"), key=lambda one: one.found.mean)
    return [*drift.group("epochs"), *drift.group("seeds"), *networks]


def _places(rows: Sequence[ComparedSpace]) -> list[float]:
    """Return the height of each row: a gap between groups."""
    found, at = [], 0.0
    for place, one in enumerate(rows):
        if place and rows[place - 1].group != one.group:
            at += 0.9
        found.append(at)
        at += 1
    return found


def _dots(rows: Sequence[ComparedSpace], places: Sequence[float], verdict: Verdict) -> go.Scatter:
    symbol, color, name = _LOOKS[verdict]
    own = [(one, at) for one, at in zip(rows, places, strict=True) if one.verdict is verdict]
    means = [one.found.mean for one, _ in own]
    return go.Scatter(
        x=means, y=[at for _, at in own], mode="markers", name=name, customdata=[one.found.key for one, _ in own],
        marker={"size": 11, "symbol": symbol, "color": color, "line": {"width": 2, "color": color}},
        error_x=theme.whiskers(means, [one.found.interval for one, _ in own], color),
        hovertext=[
            f"{theme.plain(one.found.title)}: {one.found.mean:.1%} ({one.found.interval.low:.1%} to "
            f"{one.found.interval.high:.1%}), {one.verdict.value}"
            for one, _ in own
        ],
        hovertemplate="%{hovertext}<extra></extra>",
    )  # fmt: skip


def _name(one: ComparedSpace, selected: str) -> str:
    name = theme.plain(one.found.title)
    return f"<b>{name}</b>" if one.found.key == selected else name


def _notes(drift: Drift, rows: Sequence[ComparedSpace], places: Sequence[float]) -> list[dict[str, Any]]:
    """Return what each group, the band and chance are called."""
    seen: dict[str, float] = {}
    for one, at in zip(rows, places, strict=True):
        seen.setdefault(one.group, at)
    notes = [
        {
            "text": f"<i>{GROUPS[group]}</i>", "x": 0, "xref": "x domain", "xanchor": "left", "y": at - 0.62,
            "showarrow": False, "font": {"size": 12, "color": theme.MUTED},
        }
        for group, at in seen.items()
    ]  # fmt: skip
    said = [(drift.by_chance, "chance", "right")]
    if drift.floor is not None:
        said.append((drift.floor.band.low, "seed band", "right"))
    return notes + [
        {
            "text": text, "x": x, "xanchor": side, "xshift": -4, "y": 1, "yref": "y domain", "yanchor": "top",
            "showarrow": False, "font": {"size": 12, "color": theme.MUTED},
        }
        for x, text, side in said
    ]  # fmt: skip


def _alt(drift: Drift, rows: Sequence[ComparedSpace], document: str) -> str:
    said = "; ".join(f"{one.found.title} {one.found.mean:.1%}, {one.verdict.value}" for one in rows)
    band = (
        f"the seed band is {drift.floor.band.low:.1%} to {drift.floor.band.high:.1%}"
        if drift.floor
        else "the seed band is unknown"
    )
    return (
        f"Share of a {document}’s {drift.neighbours} nearest neighbours that differ from those in {drift.title}, epoch "
        f"{drift.epoch}: {said}. Expected by chance: {drift.by_chance:.1%}; {band}."
    )


def _table(rows: Sequence[ComparedSpace]) -> Table:
    return table_of(
        (
            "group", "compared with", "changed neighbours", "from", "to", "compared with the seed band",
            "documents with more change than between any two seeds",
        ),
        [
            (
                GROUPS[one.group], one.found.title, one.found.mean, *one.found.interval, one.verdict.value,
                -1 if one.floor is None else int(one.floor.moved(one.found).sum()),
            )
            for one in rows
        ],
    )  # fmt: skip
