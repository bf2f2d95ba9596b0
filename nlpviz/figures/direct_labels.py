"""Names at the ends of lines instead of a legend: in their lines' colours, pushed apart until none covers another.

A figure has them twice where it is another one on a phone: ``nlpviz/ui/plotly_fit.js`` shows those that fit.
"""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Iterable, Mapping, Sequence
from html import unescape
from typing import Any, NamedTuple

import numpy as np
import plotly.graph_objects as go

from nlpviz.figures import phone, theme

COLOURED = 6
"""Lines in colour, at most; the others are grey."""
_WIDE, _SLIM = ((24, 2), (32, 1)), ((13, 3), (15, 2), (17, 1))  # letters in a line, lines: the first that fit
_BETWEEN = ((17, 3), (20, 2))  # the same between two panels
_BROAD, _NARROW, _BOTH = "where wide", "where narrow", "line’s end"  # as plotly_fit.js calls them
_SIZE, _SMALL, _LETTER = 13, 12, 0.56  # pixels of the type, of grey names; a letter's width as a share of it
_LEADING = 1.36  # a line's height as a share of its type, with room for the larger type of a presentation
_NEAR, _FAR = 7, 20  # pixels from a line's end to its name; with a stroke between the two
_MOVED = 4  # pixels that a name may be off its line without such a stroke
_OVER = 7  # pixels by which names may stand over the panel's top and under its foot
_LAST = 0.99  # of the figure: a panel that ends farther right is in the right column
_EDGE = 0.93  # of the axis: what ends farther right ends at the edge
_NEXT = 0.25  # of the axis: names of lines that end closer to each other are one column
_PAD = 0.05  # of an axis, round what is drawn
_VEIL = "rgba(255,255,255,0.75)"  # of the page, under a name among lines
_ROUND = 5  # pixels that a line with its marks takes on each side
_INSIDE = 420  # pixels that a panel is wide at least where a line ends within it


class _End(NamedTuple):
    """Where a line ends: in which panel, at which share of its axes, and at which values."""

    name: str
    color: str
    panel: tuple[str, str]
    share: tuple[float, float]
    at: Any
    y: float
    main: bool
    line: tuple[np.ndarray, np.ndarray]  # its points as shares of the axes


class _Room(NamedTuple):
    """What a window has for names: pixels of the figure, its margins and domains, letters and lines of a name."""

    height: float
    domains: Mapping[str, Sequence[float]]
    shapes: Sequence[tuple[int, int]]
    label: str

    def across(self, panel: tuple[str, str]) -> Sequence[float]:
        return self.domains.get(f"xaxis{panel[0][1:]}", (0, 1))

    def pixels(self, panel: tuple[str, str]) -> float:
        low, high = self.domains.get(f"yaxis{panel[1][1:]}", (0, 1))
        return (high - low) * self.height


def figure(
    traces: Iterable[go.Scatter],
    *,
    height: int = 460,
    main: Collection[str] | None = None,
    unnamed: Collection[str] = (),
    only: Collection[str] = (),
    at_edge: bool = False,
    **layout: Any,  # noqa: ANN401  # whatever Plotly's layout knows
) -> go.Figure:
    """Return :func:`nlpviz.figures.theme.figure` with each line's name where it ends, and without a legend.

    Panels that share their lines are named in the right column; on a phone, where panels stand under each other,
    each is. A line that ends early is named there. Axes without a range get that of their lines.

    Args:
        traces: lines with names; what has none is only drawn, a band in the colour of the line that its group names.
        height: in pixels.
        main: names of the lines in colour, all others grey; None for the first :data:`COLOURED` of more, or for all.
        unnamed: lines whose names stand only where the pointer is.
        only: the vertical axes of panels that may have names, ``"y2"`` for example; none for all.
        at_edge: whether lines that end early are named at the panel's edge, too: for small panels.
        layout: handed on, the axes as dictionaries.
    """
    traces = list(traces)
    names = list(dict.fromkeys(trace.name for trace in traces if _is_named(trace, unnamed)))
    main = set(names[:COLOURED] if main is None and len(names) > COLOURED else names if main is None else main)
    grey = set(names) - main
    for trace in traces if grey else ():
        if trace.name in grey:
            _grey(trace)
        elif trace.legendgroup in grey:
            trace.fillcolor = theme.GREY
    ends = [end for end in _ends(traces, layout, main, unnamed) if not only or end.panel[1] in only]
    ends = [end._replace(share=(1.0, end.share[1])) for end in ends] if at_edge else ends
    return theme.figure(traces, height=height, **{**layout, **_labelled(ends, layout, height)})


def remark(text: str, x: float, y: float, *, above: bool = True, **where: Any) -> dict[str, Any]:  # noqa: ANN401
    """Return the annotation that says what to see at a place of a panel, in the units of its axes.

    Args:
        text: markup of Plotly's.
        x: the place; of a logarithmic axis the logarithm.
        y: as ``x``.
        above: whether it stands over the place rather than under it.
        where: what else an annotation of Plotly's has, ``xref`` for example.
    """
    return {
        "text": text, "x": x, "y": y, "showarrow": True, "arrowhead": 0, "arrowwidth": 1, "arrowcolor": theme.MUTED,
        "ax": 0, "ay": -28 if above else 28, "bgcolor": _VEIL, "font": {"size": _SMALL, "color": theme.INK}, **where,
    }  # fmt: skip


def spread(middles: Sequence[float], sizes: Sequence[float], low: float, high: float) -> list[float]:
    """Return where labels go so that none touches another: as near to their middles as that allows.

    Args:
        middles: of the labels where they would stand alone, ascending.
        sizes: their heights.
        low: the least that a label may reach.
        high: the most; labels that need more room than that go beyond it.
    """
    before = np.cumsum([0, *sizes[:-1]]) + np.array(sizes) / 2
    blocks: list[tuple[float, int]] = []  # their mean and number: what would overlap moves together
    for value in np.array(middles) - before:
        mean, count = float(value), 1
        while blocks and blocks[-1][0] > mean:
            other, number = blocks.pop()
            mean, count = (mean * count + other * number) / (count + number), count + number
        blocks.append((mean, count))
    moved = np.repeat([mean for mean, _ in blocks], [count for _, count in blocks])
    return list(np.maximum(np.minimum(moved, high - sum(sizes)), low) + before)


# --------------------------------------------------------------------------------------------------- lines and axes


def _is_named(trace: go.Scatter, unnamed: Collection[str]) -> bool:
    return trace.type == "scatter" and bool(trace.name) and trace.name not in unnamed and "lines" in (trace.mode or "")


def _grey(trace: go.Scatter) -> None:
    trace.line.color = trace.marker.color = theme.GREY
    trace.line.width = 1.5
    if trace.error_y.array is not None:
        trace.error_y.color = theme.GREY


def _axis(panel: str) -> str:
    """Return what a layout calls an axis of a trace: ``"x2"`` is ``"xaxis2"``."""
    return f"{panel[0]}axis{panel[1:]}"


def _panel(trace: go.Scatter) -> tuple[str, str]:
    x, y = trace.xaxis or "x", trace.yaxis or "y"
    return ("x" if x == "x1" else x), ("y" if y == "y1" else y)


def _ends(
    traces: Sequence[go.Scatter], layout: dict[str, Any], main: Collection[str], unnamed: Collection[str]
) -> list[_End]:
    """Return the ends of the lines, once for each name and panel; axes in ``layout`` get their ranges."""
    for letter in "xy":
        for axis in {f"{letter}axis1", f"{letter}axis"} & layout.keys():
            layout[f"{letter}axis"] = dict(layout.pop(axis))
    shown = [(trace, _panel(trace), _is_named(trace, unnamed)) for trace in traces if trace.type == "scatter"]
    for axis in dict.fromkeys(axis for _, panel, named in shown if named for axis in panel):
        own = [trace for trace, panel, _ in shown if axis in panel]
        layout[_axis(axis)] = {**layout.get(_axis(axis), {})}
        _fix(layout[_axis(axis)], axis[0], own)
    ends: dict[tuple[str, tuple[str, str]], _End] = {}
    for trace, panel, named in shown:
        if not named or (trace.name, panel) in ends:
            continue
        x, y = layout[_axis(panel[0])], layout[_axis(panel[1])]
        places, values = _numbers(trace.x, x), _numbers(trace.y, y)
        if len(places) != len(values):
            continue
        known = np.flatnonzero(np.isfinite(places) & np.isfinite(values))
        if not len(known):
            continue
        known = known[np.argsort(places[known], kind="stable")]
        at, value = _end(places[known], values[known], y["range"])
        ends[trace.name, panel] = _End(
            trace.name, trace.line.color or theme.INK, panel, (_share(at, x["range"]), _share(value, y["range"])), at,
            value, trace.name in main, (_shares(places[known], x["range"]), _shares(values[known], y["range"])),
        )  # fmt: skip
    return list(ends.values())


def _end(places: np.ndarray, values: np.ndarray, ends: Sequence[float]) -> tuple[float, float]:
    """Return where a line ends from left to right, or where it leaves the panel for good."""
    low, high = min(ends), max(ends)
    inside = np.flatnonzero((values >= low) & (values <= high))
    last = int(inside[-1]) if len(inside) else len(values) - 1
    value = float(min(max(values[last], low), high))
    if last == len(values) - 1:
        return float(places[last]), value
    edge = high if values[last + 1] > high else low
    share = (edge - values[last]) / (values[last + 1] - values[last])
    return float(places[last] + share * (places[last + 1] - places[last])), edge


def _numbers(values: Any, axis: Mapping[str, Any]) -> np.ndarray:  # noqa: ANN401  # what a trace holds
    """Return values of a trace as numbers of its axis: logarithms, or places among categories."""
    if values is None:
        return np.array([])
    if axis.get("type") == "category":
        places = {name: place for place, name in enumerate(axis["categoryarray"])}
        return np.array([places.get(value, np.nan) for value in values], dtype=float)
    found = np.array([np.nan if value is None else value for value in values], dtype=float)
    if axis.get("type") == "log":
        found[~(found > 0)] = np.nan  # has no logarithm
        found = np.array(np.log10(found))
    return found


def _fix(axis: dict[str, Any], letter: str, traces: Sequence[go.Scatter]) -> None:
    """Give an axis without a range that of what is drawn along it, and one of words its categories."""
    every = [getattr(trace, letter) for trace in traces]
    every = [values for values in every if values is not None]
    if axis.get("type") == "category" or any(isinstance(value, str) for values in every for value in values[:1]):
        names = axis.get("categoryarray") or list(dict.fromkeys(name for values in every for name in values))
        axis |= {"type": "category", "categoryorder": "array", "categoryarray": list(names)}
        axis.setdefault("range", [-0.4, max(len(names), 1) - 0.7])
    if axis.get("range"):
        return
    found = [_numbers(values, axis) for values in every]
    if letter == "y":
        for trace, values in zip(traces, found, strict=False):
            found += _whiskers(trace, values)
    drawn = np.concatenate(found) if found else np.array([])
    drawn = drawn[np.isfinite(drawn)]
    low, high = (float(drawn.min()), float(drawn.max())) if len(drawn) else (0.0, 1.0)
    if axis.get("rangemode") == "tozero" and axis.get("type") != "log":
        low, high = min(low, 0.0), max(high, 0.0)
    span = (high - low) or abs(high) or 1.0
    pad = (_PAD if letter == "y" else 0.015) * span
    axis["range"] = [low - pad * (low != 0 or letter == "x" or axis.get("rangemode") != "tozero"), high + pad]


def _whiskers(trace: go.Scatter, values: np.ndarray) -> list[np.ndarray]:
    """Return the ends of a trace's error bars."""
    up, down = trace.error_y.array, trace.error_y.arrayminus
    if up is None:
        return []
    up, down = (np.nan_to_num(np.array(one, dtype=float)) for one in (up, up if down is None else down))
    return [values + up, values - down]


def _share(value: float, ends: Sequence[float]) -> float:
    return float((value - ends[0]) / ((ends[1] - ends[0]) or 1.0))


def _shares(values: np.ndarray, ends: Sequence[float]) -> np.ndarray:
    return np.asarray((values - ends[0]) / ((ends[1] - ends[0]) or 1.0))


# ------------------------------------------------------------------------------------------------------------- names


def _labelled(ends: Sequence[_End], layout: Mapping[str, Any], height: int) -> dict[str, Any]:
    """Return what a layout needs for the names: annotations, a right margin, and the same for a phone."""
    margin = {"t": 20, "b": theme.TEMPLATE.layout.margin.b, **layout.get("margin", {})}
    meta = dict(layout.get("meta", {}))
    slim = meta.get("where_narrow", {"changes": {}, "height": None})
    changes = dict(slim["changes"])
    domains = {key: axis["domain"] for key, axis in layout.items() if "axis" in key and "domain" in (axis or ())}
    narrow = {key.removesuffix(".domain"): domain for key, domain in changes.items() if key.endswith(".domain")}
    wide_room = _Room(height - margin["t"] - margin["b"], domains, _WIDE, _BROAD)
    tall = (slim["height"] or height) - changes.get("margin.t", margin["t"]) - margin["b"]
    slim_room = _Room(tall, {**domains, **narrow}, _SLIM, _NARROW)
    notes, right = _annotations(ends, wide_room)
    others, less = _annotations(ends, slim_room)
    if others == notes:
        notes = [{**note, "name": _BOTH} for note in notes]
    else:
        notes += others
    least = margin.get("r", 12)
    changes["margin.r"] = max(less, least)
    return {
        "margin": {**margin, "r": max(right, least)},
        "annotations": [*layout.get("annotations", ()), *notes],
        "meta": {**meta, **phone.where_narrow(changes, slim["height"])},
        "showlegend": False,
    }


def _annotations(ends: Sequence[_End], room: _Room) -> tuple[list[dict[str, Any]], int]:
    """Return the names in a window, and the pixels to the right of the panels that they need."""
    right = {end.name for end in ends if room.across(end.panel)[1] > _LAST}
    shown = [end for end in ends if room.across(end.panel)[1] > _LAST or end.name not in right]
    notes: list[dict[str, Any]] = []
    needed = 0.0
    for panel in dict.fromkeys(end.panel for end in shown):
        lines = [end for end in ends if end.panel == panel]
        groups = _groups([end for end in shown if end.panel == panel])
        if room.label == _NARROW and len(groups) > 1:  # names would reach each other
            groups = [[end._replace(share=(1.0, end.share[1])) for group in groups for end in group]]
        for group in groups:
            others = [end.line for end in lines if all(end.name != one.name for one in group)]
            placed, wide = _column(sorted(group, key=lambda end: -end.share[1]), others, room.pixels(panel), room)
            notes += placed
            if room.across(panel)[1] > _LAST:
                inside = min(1 - end.share[0] for end in group) if group[0].share[0] <= _EDGE else 0
                needed = max(needed, wide - inside * _INSIDE)
    return notes, round(needed)


def _groups(ends: Sequence[_End]) -> list[list[_End]]:
    """Return the ends from left to right, those together whose names might touch; those at the edge are the last."""
    groups: list[list[_End]] = []
    for end in sorted(ends, key=lambda end: end.share[0]):
        edge = end.share[0] > _EDGE
        before = groups[-1][-1].share[0] if groups else -1.0
        if groups and (before > _EDGE if edge else end.share[0] - before < _NEXT):
            groups[-1].append(end)
        else:
            groups.append([end])
    return groups


def _column(
    group: Sequence[_End], others: Sequence[tuple[np.ndarray, np.ndarray]], pixels: float, room: _Room
) -> tuple[list[dict[str, Any]], float]:
    """Return the names of lines that end at one place of a panel, from above, and how wide they are.

    Names stand clear of ``others``, the panel's other lines, where these go on.
    """
    sizes = [_SIZE if end.main else _SMALL for end in group]
    for letters, most in room.shapes if room.across(group[0].panel)[1] > _LAST else _BETWEEN:
        texts = [_wrapped(end.name, letters, most) for end in group]
        heights = [size * _LEADING * len(lines) for size, lines in zip(sizes, texts, strict=True)]
        if sum(heights) <= pixels + 2 * _OVER:
            break
    wide = max(size * _LETTER * max(map(len, lines)) for size, lines in zip(sizes, texts, strict=True))
    middles = [(1 - end.share[1]) * pixels for end in group]
    shares = [end.share[0] for end in group]
    reach = (min(shares), max(shares) + (wide + _FAR) / _INSIDE)
    bars = [] if max(shares) > _EDGE else _bars(others, reach, pixels)
    places = _clear(middles, heights, bars, (-_OVER, pixels + _OVER))
    shifts = [round(place - middle) for place, middle in zip(places, middles, strict=True)]
    away = _FAR if any(abs(shift) > _MOVED for shift in shifts) else _NEAR
    notes = [
        _note(end, lines, size, shift, away, room.label)
        for end, lines, size, shift in zip(group, texts, sizes, shifts, strict=True)
    ]
    return notes, wide + away + 8


def _bars(
    lines: Sequence[tuple[np.ndarray, np.ndarray]], reach: tuple[float, float], pixels: float
) -> list[tuple[float, float]]:
    """Return the pixels from the panel's top that each line takes between two shares of the axis."""
    bars = []
    for across, up in lines:
        low, high = max(reach[0], float(across[0])), min(reach[1], float(across[-1]))
        if low < high:
            down = (1 - np.interp(np.linspace(low, high, 24), across, up)) * pixels
            bars.append((float(down.min()) - _ROUND, float(down.max()) + _ROUND))
    return bars


def _clear(
    middles: Sequence[float], sizes: Sequence[float], bars: Sequence[tuple[float, float]], ends: tuple[float, float]
) -> list[float]:
    """Return where labels go as :func:`spread` does, each in the nearest gap between ``bars`` that has room."""
    gaps, top = [], ends[0]
    for low, high in sorted(bars):
        if low > top:
            gaps.append((top, low))
        top = max(top, high)
    if top < ends[1]:
        gaps.append((top, ends[1]))
    while gaps:
        own = [min(range(len(gaps)), key=lambda gap: max(gaps[gap][0] - at, at - gaps[gap][1], 0)) for at in middles]
        full = [gap for gap in set(own) if _total(sizes, own, gap) > gaps[gap][1] - gaps[gap][0]]
        if not full:
            places: list[float] = []
            for gap in sorted(set(own)):
                mine = [place for place, other in enumerate(own) if other == gap]
                places += spread([middles[one] for one in mine], [sizes[one] for one in mine], *gaps[gap])
            return places
        gaps.remove(min((gaps[gap] for gap in full), key=lambda gap: gap[1] - gap[0]))
    return spread(middles, sizes, *ends)


def _total(sizes: Sequence[float], own: Sequence[int], gap: int) -> float:
    return sum(size for size, other in zip(sizes, own, strict=True) if other == gap)


def _wrapped(name: str, letters: int, most: int) -> list[str]:
    """Return a name in lines, the last of them shortened."""
    return textwrap.wrap(unescape(name), letters, max_lines=most, placeholder="…") or [""]


def _note(end: _End, lines: Sequence[str], size: int, shift: int, away: int, label: str) -> dict[str, Any]:
    """Return a name as an annotation; where it stands off its line, with a stroke to it."""
    x, y = end.panel
    edge = end.share[0] > _EDGE
    color = theme.lettering(end.color) if end.main else theme.MUTED
    note: dict[str, Any] = {
        "text": "<br>".join(map(theme.plain, lines)), "name": label, "visible": label == _BROAD,
        "x": 1 if edge else end.at, "xref": f"{x} domain" if edge else x, "y": end.y, "yref": y,
        "xanchor": "left", "yanchor": "middle", "align": "left", "font": {"size": size, "color": color},
        **({} if edge else {"bgcolor": _VEIL, "borderpad": 0}),
    }  # fmt: skip
    if abs(shift) <= _MOVED:
        return {**note, "showarrow": False, "xshift": away, "yshift": -shift}
    stroke = {"arrowhead": 0, "arrowwidth": 1, "arrowcolor": end.color if end.main else theme.GREY}
    return {**note, "showarrow": True, "ax": away, "ay": shift, **stroke}
