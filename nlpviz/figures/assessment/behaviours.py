"""The share of minimal pairs that pass, by epoch, a panel a capability: runs as lines, with 95% intervals."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import plotly.graph_objects as go

from nlpviz.figures import direct_labels, phone, theme
from nlpviz.figures.assessment.labels import pairs_said
from nlpviz.figures.view import FigureView, Table, provenance, table_of
from nlpviz.results.behaviours import Probed, Rate, chance, rates
from nlpviz.results.minimal_pairs import MinimalPair
from nlpviz.text.vocabulary import shortened

_SYMBOLS, _DASHES = ("circle", "square", "diamond", "triangle-up"), ("solid", "dash", "dashdot", "longdash")
_COLUMNS, _NARROW = 3, 2  # panels in a row, and on a phone
_HEIGHT, _GAP, _TOP, _BOTTOM = 132, 58, 36, 52  # pixels: of a row, between rows, over the first, under the last
_BETWEEN = 0.05  # of the width
_LETTERS = 24  # of a panel's title


class _Line(NamedTuple):
    """What one run reaches in one capability: epochs in ascending order, with the rates."""

    title: str
    epochs: list[int | None]
    rates: list[Rate]


def behaviour_panels(
    pairs: Sequence[MinimalPair], probed: Mapping[str, Sequence[Probed]], source: str, chosen: str
) -> FigureView:
    """Return the panels; a click on a mark hands on its capability.

    Args:
        pairs: that were asked.
        probed: by run, of each kept epoch in ascending order; of a run without epochs once.
        source: what the pairs are called.
        chosen: the capability whose title is marked.
    """
    lines = _lines(pairs, probed)
    last = max((one.epoch or 0 for own in probed.values() for one in own), default=0) or 1
    traces: list[go.Scatter] = []
    for number, (name, own) in enumerate(lines.items(), start=1):
        by_chance = chance([pair for pair in pairs if pair.capability == name])
        if by_chance is not None:
            traces.append(_chance(by_chance, last, number))
        traces += [_trace(line, place, name, number, last) for place, line in enumerate(own)]
    first_row = {_suffix(at) for at in range(_COLUMNS)}
    drawn = direct_labels.figure(
        traces, height=_height(len(lines), _COLUMNS), margin={"t": _TOP, "b": _BOTTOM, "l": 44},
        meta=_where_narrow(len(lines)), only={f"y{suffix}" for suffix in first_row}, at_edge=True,
        main={trace.name for trace in traces}, annotations=_titles(lines, chosen), **_axes(len(lines), last),
    )  # fmt: skip
    return FigureView(
        figure=drawn,
        alt=_alt(lines),
        table=_table(pairs, lines),
        caption=provenance(", ".join(probed), source, "share of pairs that pass, 95% Wilson intervals"),
        name="behaviours-by-epoch",
    )


def _lines(pairs: Sequence[MinimalPair], probed: Mapping[str, Sequence[Probed]]) -> dict[str, list[_Line]]:
    """Return the lines of each capability."""
    found = {run: [(one, rates(pairs, one)) for one in own] for run, own in probed.items()}
    names = dict.fromkeys(pair.capability for pair in pairs)
    return {
        name: [
            _Line(own[0][0].title, [one.epoch for one, _ in own], [by_name[name] for _, by_name in own])
            for own in found.values()
        ]
        for name in names
    }


def _chance(share: float, last: int, number: int) -> go.Scatter:
    return go.Scatter(
        x=[0, last], y=[share, share], mode="lines", name="random baseline", hoverinfo="skip",
        line={"color": theme.MUTED, "width": 1, "dash": "dot"}, xaxis=f"x{number}", yaxis=f"y{number}",
    )  # fmt: skip


def _trace(line: _Line, place: int, capability: str, number: int, last: int) -> go.Scatter:
    """Return one run in one panel; one without epochs goes straight across."""
    color = theme.CATEGORIES[(2 + place) % len(theme.CATEGORIES)]
    still = line.epochs == [None]
    found = line.rates * 2 if still else line.rates
    shares = [None if math.isnan(one.share) else one.share for one in found]
    return go.Scatter(
        x=[0, last] if still else line.epochs, y=shares, mode="lines" if still else "lines+markers",
        name=theme.plain(line.title),
        line={"color": color, "width": 2, "dash": _DASHES[place % len(_DASHES)]},
        marker={"color": color, "size": 8, "symbol": _SYMBOLS[place % len(_SYMBOLS)]},
        error_y=theme.whiskers([one.share for one in found], [one.interval for one in found], color),
        customdata=[capability] * len(found),
        hovertext=[
            f"{theme.plain(line.title)}{'' if epoch is None else f', epoch {epoch}'}<br>"
            f"{theme.plain(capability)}: {pairs_said(one)}"
            for epoch, one in zip(line.epochs * (2 if still else 1), found, strict=True)
        ],
        hoverinfo="text", xaxis=f"x{number}", yaxis=f"y{number}",
    )  # fmt: skip


# -------------------------------------------------------------------------------------------------- where things stand


def _height(count: int, columns: int) -> int:
    rows = math.ceil(count / columns)
    return rows * _HEIGHT + (rows - 1) * _GAP + _TOP + _BOTTOM


def _domains(count: int, columns: int) -> list[tuple[list[float], list[float]]]:
    """Return where each panel lies, from the left and from below, as shares of the width and height."""
    rows = math.ceil(count / columns)
    whole, width = rows * _HEIGHT + (rows - 1) * _GAP, (1 - _BETWEEN * (columns - 1)) / columns
    result = []
    for at in range(count):
        left, top = at % columns * (width + _BETWEEN), 1 - at // columns * (_HEIGHT + _GAP) / whole
        result.append(([left, left + width], [max(top - _HEIGHT / whole, 0), top]))
    return result


def _suffix(at: int) -> str:
    return "" if at == 0 else str(at + 1)


def _axes(count: int, last: int) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for at, (across, up) in enumerate(_domains(count, _COLUMNS)):
        result[f"xaxis{_suffix(at)}"] = {
            "domain": across, "anchor": f"y{_suffix(at)}", "range": [-0.06 * last, 1.06 * last], "nticks": 6,
            "tickformat": "d", "title": {"text": "epoch" if at + _COLUMNS >= count else ""},
        }  # fmt: skip
        result[f"yaxis{_suffix(at)}"] = {
            "domain": up, "anchor": f"x{_suffix(at)}", "range": [-0.04, 1.06], "tickvals": [0, 0.5, 1],
            "tickformat": ".0%",
        }  # fmt: skip
    return result


def _titles(lines: Mapping[str, Sequence[_Line]], chosen: str) -> list[dict[str, Any]]:
    """Return what stands over the panels: the capability, and how many pairs there are."""
    result = []
    for at, (name, own) in enumerate(lines.items()):
        short = theme.plain(shortened(name, _LETTERS))
        title = f"<b>{short}</b>" if name == chosen else short
        result.append(
            {
                "text": f"{title}  <span style='font-size:11px'>{own[0].rates[0].pairs:,}</span>",
                "xref": f"x{_suffix(at)} domain", "yref": f"y{_suffix(at)} domain", "x": 0, "y": 1.02,
                "xanchor": "left", "yanchor": "bottom", "showarrow": False, "font": {"size": 13},
            }
        )  # fmt: skip
    return result


def _where_narrow(count: int) -> dict[str, Any]:
    """Return the ``meta`` by which two panels stand in a row on a phone."""
    changes: dict[str, Any] = {}
    for at, (across, up) in enumerate(_domains(count, _NARROW)):
        changes |= {f"xaxis{_suffix(at)}.domain": across, f"yaxis{_suffix(at)}.domain": up}
        changes[f"xaxis{_suffix(at)}.title"] = {"text": "epoch" if at + _NARROW >= count else ""}
        changes[f"yaxis{_suffix(at)}.showticklabels"] = at % _NARROW == 0
    return phone.where_narrow(changes, _height(count, _NARROW))


# ------------------------------------------------------------------------------------------------------------ in words


def _alt(lines: Mapping[str, Sequence[_Line]]) -> str:
    parts = [
        f"{name}: " + "; ".join(f"{line.title} {pairs_said(line.rates[-1])}" for line in own)
        for name, own in lines.items()
    ]
    return f"Share of minimal pairs that pass, by capability and epoch. At the last stored epoch: {'. '.join(parts)}."


def _table(pairs: Sequence[MinimalPair], lines: Mapping[str, Sequence[_Line]]) -> Table:
    by_chance = {name: chance([pair for pair in pairs if pair.capability == name]) for name in lines}
    return table_of(
        ("capability", "run", "epoch", "pass", "pairs", "share", "from", "to", "random baseline"),
        [
            (
                name, line.title, "–" if epoch is None else str(epoch), rate.passed, rate.pairs,
                rate.share if rate.pairs else None, *rate.interval, by_chance[name],
            )
            for name, own in lines.items()
            for line in own
            for epoch, rate in zip(line.epochs, line.rates, strict=True)
        ],
    )  # fmt: skip
