"""Maps of words: one large map, or one panel an epoch or a source, every panel on the same axes.

Flat axes end where nearly all words are, and what lies further out is drawn at their edge with an arrow: a single word
far away would squeeze all others together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from typing import Any, NamedTuple, TypedDict

import numpy as np
from numpy.typing import NDArray

from nlpviz.figures import map_panels, theme
from nlpviz.figures.map_labels import Label, annotation, filling, fitting, shadow, to_scale
from nlpviz.figures.phone import NARROW
from nlpviz.figures.points import axes, own_mark, trace_kind
from nlpviz.figures.view import FigureView, Table, provenance
from nlpviz.figures.words.panels import NEAR, PAIR, WordMapStyle, WordPanel, legend_groups
from nlpviz.results.trust import trust_of

_HIGH = 600
"""Pixels that the only map has in height: it fills most of a small window, and the view lets it grow in a large one."""
_PHONE, _SCREEN, _BESIDE = (330.0, NARROW), (NARROW, 2400.0), (150.0, 650.0)
"""The widths of the only panel in a narrow figure and in a wide one, and of one of several, in pixels."""
_HIGHEST = 1200.0
"""Pixels that the only panel may grow to."""
_MOST, _MOST_BESIDE = 150, 12
"""The most labels besides the marked words: on the only map, on one of several."""
_WIDE: dict[str, Any] = {"name": "where wide"}
_NARROW: dict[str, Any] = {"name": "where narrow", "visible": False}
"""What marks a label that is drawn in a wide or in a narrow figure alone (nlpviz/ui/plotly_fit.js)."""
_FENCE = 1.5
"""Interquartile ranges from the quartiles to the ends of an axis."""
_SAYS_LITTLE = 2
"""Letters of a word that is named on a large map only where it is marked: such words are mostly fragments."""
_LARGE = 200
_ARROWS = {(-1, 0): "←", (1, 0): "→", (0, -1): "↓", (0, 1): "↑", (-1, 1): "↖", (1, 1): "↗", (-1, -1): "↙", (1, -1): "↘"}
"""Where a word lies that is drawn at the edge."""
_SEGMENT = {"color": PAIR, "width": 1.5}
_BESIDE_TRUST = 10
"""Letters of a note that have room before the trust on a phone; a longer note is next to the title."""
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
    first, alone = panels[0].map, len(panels) == 1
    height = _HIGH if alone else map_panels.whole_height(len(panels), style.height)
    marked = bool(style.word or any(panel.review for panel in panels))
    over = map_panels.ONE_LINE if alone else map_panels.HEADING
    top = over + (32 if marked else 4)
    heading = over / (height - top)
    ranges = _ranges(panels, framed)
    shown: list[list[Any]] = []
    layout = map_panels.layout(len(panels), ranges, top, heading, over=over, grows=alone)
    notes: list[dict[str, Any]] = []
    lines: list[dict[str, Any]] = []
    for position, panel in enumerate(panels):
        domain = map_panels.cell(position, len(panels), heading)
        places = _Places.of(panel, ranges)
        marks = _traces(panel, style, places, make, first=position == 0)
        layout |= map_panels.axes(position + 1, domain, ranges, alone=alone)
        share = domain["y"][1] - domain["y"][0]
        labels = _labels(panel, style, places, ranges, (height - top - map_panels.BELOW) * share, alone=alone)
        notes.append(map_panels.title(domain, _heading(panel, alone=alone)))
        if first.dimensions == 3:
            layout[f"scene{position + 1}"]["annotations"] = labels
            marks += _lines_in_space(_segments(places, style), make)
        else:
            here = {"xref": f"x{position + 1}", "yref": f"y{position + 1}"}
            notes += [label | here for label in labels]
            lines += [_line(*ends) | here for ends in _segments(places, style)]
        shown.append(map_panels.in_panel(marks, position + 1, first.dimensions))
    if style.outdated:
        notes = [note | {"opacity": _FAINT} for note in notes]
        notes.append(map_panels.outdated([mark for marks in shown for mark in marks], style.outdated))
    about = {"height": height, "showlegend": marked, "uirevision": style.view}
    return Drawing(shown, {**about, "annotations": notes, "shapes": lines, **layout})


class Wording(TypedDict):
    """The words that accompany a figure."""

    alt: str
    caption: str


def words_for(panels: Sequence[WordPanel], projector: str, style: WordMapStyle) -> Wording:
    """Return the alternative text and the caption of the maps."""
    return {"alt": _alt(panels, projector, style), "caption": _caption(panels, projector, style)}


class _Places(NamedTuple):
    """Where the words of a panel are drawn, and by an arrow which of them lie further out, at the edge."""

    positions: dict[str, NDArray[np.float32]]
    out: dict[str, str]

    @classmethod
    def of(cls, panel: WordPanel, ranges: list[list[float]]) -> _Places:
        """Return the places of all words of ``panel`` on axes with these ``ranges``; in space none lies out."""
        positions = panel.positions()
        if panel.map.dimensions == 3 or not positions:
            return cls(positions, {})
        true = np.array(list(positions.values()))
        edge = 0.01 * np.ptp(ranges, axis=1)
        low, high = np.min(ranges, axis=1) + edge, np.max(ranges, axis=1) - edge
        drawn = np.clip(true, low, high).astype(np.float32)
        sides = np.sign(np.where(true < low, -1, np.where(true > high, 1, 0))).astype(int)
        out = {word: _ARROWS[tuple(side)] for word, side in zip(positions, sides.tolist(), strict=True) if any(side)}
        return cls(dict(zip(positions, drawn, strict=True)), out)

    def named(self, word: str) -> str:
        """Return what is written beside a word's point."""
        return f"{word} {self.out[word]}" if word in self.out else word


def _traces(
    panel: WordPanel, style: WordMapStyle, places: _Places, make: Callable[..., Any], *, first: bool
) -> list[Any]:
    """Return the points: a trace for each thing that a word may be, the chosen one on top; then the review."""
    flat, positions = panel.map.dimensions == 2, places.positions
    near = {one.word: one.score for one in panel.nearest}
    result = []
    for group, name, words, symbol, color, size in legend_groups(panel, style):
        is_open = [word in panel.placed for word in words]
        result.append(
            make(
                **axes(np.array([positions[one] for one in words], dtype=np.float32).reshape(-1, panel.map.dimensions)),
                mode="markers", name=escape(name), legendgroup=group,
                showlegend=first and group in ("near", "chosen") and bool(words),
                marker={
                    "size": size if flat else size * _IN_SPACE, "color": color, "opacity": 0.9 if name else 0.35,
                    "symbol": [f"{symbol}-open" if one else symbol for one in is_open] if any(is_open) else symbol,
                    "line": {"width": 1.5 if any(is_open) else 0, "color": color},
                },
                customdata=words, hoverinfo="text",
                hovertext=[
                    escape(word) + (f": cosine {near[word]:.2f}" if word in near else "")
                    + (f" (outside the frame, {places.out[word]})" if word in places.out else "") for word in words
                ],
            )
        )  # fmt: skip
    if panel.review:
        result.append(own_mark(panel.review, make, first=first))
    return result


def _labels(
    panel: WordPanel, style: WordMapStyle, places: _Places, ranges: list[list[float]], height: float, *, alone: bool
) -> list[dict[str, Any]]:
    """Return the labels of a panel: the relation's once at its longest segment, then those of words.

    The chosen word comes first, then its neighbours, the pairs, and the commonest words as far as there is room.
    """
    positions = places.positions
    near = [one.word for one in panel.nearest]
    wanted = [style.word, *near, *(word for pair in style.pairs for word in pair)]
    least = _SAYS_LITTLE if len(panel.map.words) > _LARGE else 0
    named = (word for word in panel.map.words if len(word) > least)
    words = [word for word in dict.fromkeys([*wanted, *named]) if word in positions]
    told = {word for word in wanted if word in positions}
    points: list[NDArray[np.floating[Any]]] = [positions[word] for word in words]
    written = [places.named(word) for word in words]
    segments = _segments(places, style)
    if segments:
        longest = max(segments, key=lambda ends: float(np.linalg.norm(ends[1] - ends[0])))
        points, written = [(longest[0] + longest[1]) / 2, *points], [style.relation, *written]
    first = len(points) - len(words)

    def annotated(label: Label) -> dict[str, Any]:
        word = words[label.position - first] if label.position >= first else ""
        if not word:
            color = PAIR
        elif word in near and word != style.word:
            color = NEAR
        else:
            color = theme.MUTED if told and word not in told else theme.INK
        result = annotation(
            label,
            written[label.position],
            points[label.position].tolist(),
            bold=bool(word) and word == style.word,
            color=color,
        )
        return result if word else result | {"text": f"<i>{result['text']}</i>"}

    drawn, led = np.array(points), first + len(told)
    if panel.map.dimensions == 3:
        shares = (drawn - np.min(ranges, axis=1)) / np.ptp(ranges, axis=1)
        seen = shadow(0.5 + (shares - 0.5) * map_panels.sides(ranges))
        widths, most = (_PHONE[0], _SCREEN[1]) if alone else _BESIDE, _MOST // 4 if alone else _MOST_BESIDE // 2
        return [annotated(label) for label in fitting(filling(seen, widths, height), written, most + led)]
    if not alone:
        panels = to_scale(drawn, ranges, _BESIDE, (height, height))
        return [annotated(label) for label in fitting(panels, written, _MOST_BESIDE + led)]
    slim = fitting(to_scale(drawn, ranges, _PHONE, (height, height)), written, _MOST + led)
    wide = fitting(to_scale(drawn, ranges, _SCREEN, (height, _HIGHEST)), written, _MOST + led, led=led)
    return [
        *(annotated(label) for label in wide if label in slim),
        *(annotated(label) | _WIDE for label in wide if label not in slim),
        *(annotated(label) | _NARROW for label in slim if label not in wide),
    ]


def _segments(places: _Places, style: WordMapStyle) -> list[tuple[NDArray[np.float32], NDArray[np.float32]]]:
    """Return the ends of the segments that join the pairs of which both words are drawn."""
    positions = places.positions
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
    """Return the limits of each axis, which all panels share: in space of all words, else of nearly all."""
    dimensions = panels[0].map.dimensions
    reviews = [np.array([panel.review], dtype=np.float32) for panel in panels if panel.review]
    maps = [*framed, *(panel.map.coordinates for panel in panels)]
    if dimensions == 2:
        shown = [[*(_ends(one[:, axis]) for one in maps), *(one[:, axis] for one in reviews)] for axis in range(2)]
        return [map_panels.padded(np.concatenate(values)) for values in shown]
    placed = [np.array(list(panel.placed.values()), dtype=np.float32) for panel in panels if panel.placed]
    together = np.concatenate([*maps, *placed, *reviews])
    return [map_panels.padded(together[:, axis]) for axis in range(dimensions)]


def _ends(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the least and the largest of ``values`` (n,) within Tukey's fences: from where to where nearly all lie."""
    lower, upper = np.quantile(values, (0.25, 0.75))
    room = _FENCE * (upper - lower)
    inside = values[(values >= lower - room) & (values <= upper + room)]
    return np.array([inside.min(), inside.max()], dtype=np.float32)


def _heading(panel: WordPanel, *, alone: bool) -> str:
    """Return what stands over a panel: its title, and how far to trust it, beside it where there is room."""
    note, trust = escape(panel.note), f"trust {panel.map.trustworthiness:.2f} ({trust_of(panel.map).verdict})"
    if alone:
        return ", ".join(part for part in (f"<b>{escape(panel.title)}</b>", note, trust) if part)
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
    joined = f" {len(style.pairs)} pairs of words ({style.relation}) are connected by segments." if style.pairs else ""
    mark = "star" if first.dimensions == 2 else "cross"
    review = f" A {mark} marks your review." if any(panel.review for panel in panels) else ""
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


def _table(panels: Sequence[WordPanel], style: WordMapStyle) -> Table:
    """Return a row for each word, with its places; what one panel does not show has none there."""
    words = list(dict.fromkeys(word for panel in panels for word in panel.positions()))
    table: Table = {"word": words}
    for panel in panels:
        positions, near = panel.positions(), {one.word: one.score for one in panel.nearest}
        nowhere = np.full(panel.map.dimensions, np.nan, dtype=np.float32)
        drawn = np.array([positions.get(word, nowhere) for word in words], dtype=np.float32)
        table |= {f"{axis}, {panel.full_title}": values for axis, values in axes(drawn).items()}
        if near:
            scores = np.array([near.get(word, np.nan) for word in words], dtype=np.float32)
            table[f"cosine with {style.word}, {panel.full_title}"] = scores
    return table
