"""Maps of words: one panel an epoch or a source, every panel on the same axes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from typing import Any, NamedTuple, TypedDict

import numpy as np
from numpy.typing import NDArray

from nlpviz.figures import map_panels, theme
from nlpviz.figures.map_labels import annotation, filling, fitting, shadow, to_scale
from nlpviz.figures.points import axes, own_mark, trace_kind
from nlpviz.figures.view import FigureView, provenance
from nlpviz.figures.words.panels import PAIR, WordMapStyle, WordPanel, legend_groups
from nlpviz.results.trust import trust_of

_ONE, _SEVERAL = ((330.0, 1300.0), 40), ((150.0, 650.0), 12)
"""The widths of a panel in pixels, on a phone and on a screen, and the most labels besides the marked words."""
_SEGMENT = {"color": PAIR, "width": 1.5}
_BESIDE_TRUST = 10
"""Letters of a note that have room before the trust on a phone; a longer one stands beside the title."""
_FAINT = 0.5
"""Opacity of what is written on a map that stands in for another one."""
_IN_SPACE = 0.45
"""Size of a mark in three dimensions, as a share of that on a flat map; and of the labels."""


def word_map(
    panels: Sequence[WordPanel], projector: str, style: WordMapStyle, framed: Sequence[NDArray[np.float32]] = ()
) -> FigureView:
    """Return the maps side by side; more than two stand in rows of two.

    Args:
        panels: of one projector and one number of dimensions.
        projector: what people call it.
        style: what is marked.
        framed: coordinates that the axes have room for besides those drawn, such as those of other epochs.
    """
    first = panels[0].map
    kind = trace_kind(first.dimensions, sum(len(panel.map.words) for panel in panels))
    drawn = draw(panels, style, framed, kind)
    return FigureView(
        figure=theme.figure([mark for marks in drawn.traces for mark in marks], **drawn.layout),
        table=_table(panels, style),
        name=f"words-{first.projector}-{first.dimensions}d",
        **words_for(panels, projector, style),
    )


class Drawing(NamedTuple):
    """What is drawn: the traces of each panel, and the layout as :func:`nlpviz.figures.theme.figure` has it."""

    traces: list[list[Any]]
    layout: dict[str, Any]


def draw(
    panels: Sequence[WordPanel], style: WordMapStyle, framed: Sequence[NDArray[np.float32]], make: Callable[..., Any]
) -> Drawing:
    """Return what is drawn of ``panels``, each trace made by ``make``; the others as for :func:`word_map`."""
    first, height = panels[0].map, map_panels.whole_height(len(panels), style.height)
    marked = bool(style.word or style.pairs or any(panel.review for panel in panels))
    top = map_panels.HEADING + (32 if marked else 4)
    heading = map_panels.HEADING / (height - top)
    ranges = _ranges(panels, framed)
    shown: list[list[Any]] = []
    layout = map_panels.layout(len(panels), ranges, top, heading)
    notes: list[dict[str, Any]] = []
    lines: list[dict[str, Any]] = []
    for position, panel in enumerate(panels):
        domain = map_panels.cell(position, len(panels), heading)
        marks = _traces(panel, style, make, first=position == 0)
        layout |= map_panels.axes(position + 1, domain, ranges)
        share = domain["y"][1] - domain["y"][0]
        labels = _labels(panel, style, ranges, (height - top - map_panels.BELOW) * share, several=len(panels) > 1)
        notes.append(map_panels.title(domain, _heading(panel)))
        if first.dimensions == 3:
            layout[f"scene{position + 1}"]["annotations"] = labels
            marks += _lines_in_space(_segments(panel, style), make)
        else:
            here = {"xref": f"x{position + 1}", "yref": f"y{position + 1}"}
            notes += [label | here for label in labels]
            lines += [_line(*ends) | here for ends in _segments(panel, style)]
        shown.append(map_panels.in_panel(marks, position + 1, first.dimensions))
    if style.outdated:
        notes = [note | {"opacity": _FAINT} for note in notes]
        notes.append(map_panels.outdated([mark for marks in shown for mark in marks], style.outdated))
    about = {"height": height, "showlegend": marked, "uirevision": style.view}
    return Drawing(shown, {**about, "annotations": notes, "shapes": lines, **layout})


class Wording(TypedDict):
    """What stands beside a figure in words."""

    alt: str
    caption: str


def words_for(panels: Sequence[WordPanel], projector: str, style: WordMapStyle) -> Wording:
    """Return the alternative text and the caption of the maps."""
    return {"alt": _alt(panels, projector, style), "caption": _caption(panels, projector, style)}


def _traces(panel: WordPanel, style: WordMapStyle, make: Callable[..., Any], *, first: bool) -> list[Any]:
    """Return the points: a trace for each thing that a word may be, the chosen one on top; then the review."""
    flat, positions = panel.map.dimensions == 2, panel.positions()
    near = {one.word: one.score for one in panel.nearest}
    result = []
    for group, name, words, symbol, color, size in legend_groups(panel, style):
        is_open = [word in panel.placed for word in words]
        result.append(
            make(
                **axes(np.array([positions[one] for one in words], dtype=np.float32).reshape(-1, panel.map.dimensions)),
                mode="markers", name=escape(name), legendgroup=group, showlegend=first and bool(name) and bool(words),
                marker={
                    "size": size if flat else size * _IN_SPACE, "color": color, "opacity": 0.9 if name else 0.45,
                    "symbol": [f"{symbol}-open" if one else symbol for one in is_open] if any(is_open) else symbol,
                    "line": {"width": 1.5 if any(is_open) else 0, "color": color},
                },
                customdata=words, hoverinfo="text",
                hovertext=[escape(word) + (f": cosine {near[word]:.2f}" if word in near else "") for word in words],
            )
        )  # fmt: skip
    if panel.review:
        result.append(own_mark(panel.review, make, first=first))
    return result


def _labels(
    panel: WordPanel, style: WordMapStyle, ranges: list[list[float]], height: float, *, several: bool
) -> list[dict[str, Any]]:
    """Return the labels of a panel: of the chosen word, its neighbours, the pairs, then of the commonest words."""
    positions, (widths, most) = panel.positions(), _SEVERAL if several else _ONE
    most = most if panel.map.dimensions == 2 else round(most * _IN_SPACE)
    wanted = [style.word, *(one.word for one in panel.nearest), *(word for pair in style.pairs for word in pair)]
    words = [word for word in dict.fromkeys([*wanted, *panel.map.words]) if word in positions]
    points = np.array([positions[word] for word in words])
    if panel.map.dimensions == 2:
        drawn = to_scale(points, ranges, widths, height)
    else:
        shares = (points - np.min(ranges, axis=1)) / np.ptp(ranges, axis=1)
        drawn = filling(shadow(0.5 + (shares - 0.5) * map_panels.sides(ranges)), widths, height)
    told = {word for word in wanted if word}
    return [
        annotation(
            label, words[label.position], positions[words[label.position]].tolist(),
            bold=words[label.position] == style.word, muted=bool(told) and words[label.position] not in told,
        )
        for label in fitting(drawn, words, most + len(told))
    ]  # fmt: skip


def _segments(panel: WordPanel, style: WordMapStyle) -> list[tuple[NDArray[np.float32], NDArray[np.float32]]]:
    """Return the ends of the segments that join the pairs of which both words are drawn."""
    positions = panel.positions()
    return [(positions[one], positions[other]) for one, other in style.pairs if one in positions and other in positions]


def _lines_in_space(
    segments: list[tuple[NDArray[np.float32], NDArray[np.float32]]], make: Callable[..., Any]
) -> list[Any]:
    """Return the segments of a panel in three dimensions."""
    return [
        make(
            **axes(np.array([start, end])), mode="lines", line={**_SEGMENT, "width": 3}, hoverinfo="skip",
            showlegend=False,
        )
        for start, end in segments
    ]  # fmt: skip


def _line(start: NDArray[np.float32], end: NDArray[np.float32]) -> dict[str, Any]:
    """Return a segment as a shape of a flat layout; axes are to be added."""
    return {
        "type": "line", "line": _SEGMENT, "layer": "below",
        "x0": float(start[0]), "y0": float(start[1]), "x1": float(end[0]), "y1": float(end[1]),
    }  # fmt: skip


def _ranges(panels: Sequence[WordPanel], framed: Sequence[NDArray[np.float32]]) -> list[list[float]]:
    """Return the limits of each axis, which all panels share."""
    dimensions = panels[0].map.dimensions
    everything = [*framed, *(panel.map.coordinates for panel in panels)]
    for panel in panels:
        marks = [*panel.placed.values(), *([panel.review] if panel.review else [])]
        everything.append(np.array(marks, dtype=np.float32).reshape(-1, dimensions))
    together = np.concatenate(everything)
    return [map_panels.padded(together[:, axis]) for axis in range(dimensions)]


def _heading(panel: WordPanel) -> str:
    """Return what stands over a panel: its title, and under it how far to trust it."""
    note, trust = escape(panel.note), f"trust {panel.map.trustworthiness:.2f}, {trust_of(panel.map).verdict}"
    if len(panel.note) > _BESIDE_TRUST:
        return f"<b>{escape(panel.title)}</b> {note}<br>{trust}"
    return f"<b>{escape(panel.title)}</b><br>{f'{note}, ' if note else ''}{trust}"


def _alt(panels: Sequence[WordPanel], projector: str, style: WordMapStyle) -> str:
    first = panels[0].map
    parts = []
    for panel in panels:
        share = "" if panel.map.share is None else f", {panel.map.share:.0%} of the variance"
        near = ", ".join(one.word for one in panel.nearest)
        said = f"; nearest to {style.word} in the original space: {near}" if near else ""
        trust = trust_of(panel.map)
        parts.append(
            f"{panel.full_title}: trustworthiness {trust.value:.2f}, {trust.verdict} ({trust.compared}){share}{said}"
        )
    joined = f" {len(style.pairs)} pairs of words ({style.relation}) are joined by segments." if style.pairs else ""
    mark = "star" if first.dimensions == 2 else "cross"
    review = f" A {mark} marks the visitor's own review." if any(panel.review for panel in panels) else ""
    instead = f" {style.outdated}".replace("\n", " ") if style.outdated else ""
    map_ = f"{first.dimensions}-D {projector} map of {len(first.words):,} words"
    return f"{map_}. {'. '.join(parts)}.{joined}{review}{instead}"


def _caption(panels: Sequence[WordPanel], projector: str, style: WordMapStyle) -> str:
    """Return the provenance: the vectors, the words, how they were mapped, and how they were made comparable."""
    first = panels[0].map
    perplexity = "" if first.perplexity is None else f" perplexity {first.perplexity:g}"
    how = list(dict.fromkeys(panel.map.comparable.rstrip(".") for panel in panels if panel.map.comparable))
    sources = "; ".join(dict.fromkeys(panel.map.source for panel in panels))
    about = [style.about] if style.about else []
    return provenance(sources, *about, f"{projector}{perplexity}, seed {first.seed}", *how)


def _table(panels: Sequence[WordPanel], style: WordMapStyle) -> dict[str, Any]:
    """Return a row for each word, with its places; what one panel does not show has none there."""
    words = list(dict.fromkeys(word for panel in panels for word in panel.positions()))
    table: dict[str, Any] = {"word": words}
    for panel in panels:
        positions, near = panel.positions(), {one.word: one.score for one in panel.nearest}
        nowhere = np.full(panel.map.dimensions, np.nan, dtype=np.float32)
        drawn = np.array([positions.get(word, nowhere) for word in words], dtype=np.float32)
        table |= {f"{axis}, {panel.full_title}": values for axis, values in axes(drawn).items()}
        if near:
            scores = np.array([near.get(word, np.nan) for word in words], dtype=np.float32)
            table[f"cosine with {style.word}, {panel.full_title}"] = scores
    return table
