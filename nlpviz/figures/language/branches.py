"""Texts that were written from one beginning as a tree: where they part, and what each goes on with.

A row is a text, a column a place where two of them part. The rows under a text are those that leave it, the last place
first, so that no line crosses another one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import plotly.graph_objects as go

from nlpviz.figures import phone, theme
from nlpviz.figures.language import file_name
from nlpviz.figures.numbers import percent
from nlpviz.figures.view import FigureView, Table, provenance
from nlpviz.results.generated_text import TextBranch, WrittenText
from nlpviz.text.tokenizers import shown
from nlpviz.text.vocabulary import shortened

_ROW, _EDGES = 54, 70  # pixels
_SLOT, _ENDS = 84, 300  # pixels of a column, and of the words at the end of a row
_LETTERS, _LINE, _HOVER = 10, 40, 360  # letters of a token, of a row's words, of what hovering shows
_ELBOW, _START = 0.42, -0.7  # in columns: how far before a token the texts part, and where the first one begins
_CHOSEN = theme.MAGNITUDE
_GAP = (None, None)  # parts two lines of a trace


class _Node(NamedTuple):
    """A token at which texts part: the text's number, the token's place, and where it is drawn."""

    text: int
    place: int
    x: float
    y: float


def branch_tree(branches: Sequence[TextBranch], texts: Sequence[WrittenText], chosen: int) -> FigureView:
    """Return the tree of several texts. A click hands on the number of a text.

    Args:
        branches: where each text leaves an earlier one.
        texts: the same texts, by one model.
        chosen: the number of the text that stands out.
    """
    places = sorted({branch.place for branch in branches[1:]})
    columns = {place: float(number) for number, place in enumerate(places)}
    rows = {text: row for row, text in enumerate(_rows(branches))}
    end = len(places) - 1 + _ELBOW
    nodes = [
        _Node(text, place, columns[place], rows[text])
        for text, branch in enumerate(branches)
        for place in sorted({one.place for one in branches[1:] if one.parent == text} | _own(branch))
    ]
    room = _ENDS / _SLOT
    drawn = theme.figure(
        height=_ROW * len(rows) + _EDGES, margin={"l": 8, "r": 8, "t": 34, "b": 8}, showlegend=False,
        meta=phone.least_width(_SLOT * (len(places) + 1) + _ENDS),
        xaxis={
            "range": [_START - 0.1, end + room], "showgrid": False, "zeroline": False, "side": "top",
            "tickvals": list(columns.values()), "ticktext": [f"{texts[0].unit} {place + 1}" for place in places],
        },
        yaxis={"range": [len(rows) - 0.4, -0.75], "visible": False, "fixedrange": True},
    )  # fmt: skip
    path = _path(branches, chosen)
    drawn.add_traces(
        [
            *_lines(branches, columns, rows, end, path),
            _tokens(nodes, texts, path),
            _ends(branches, texts, rows, end, chosen),
        ]
    )
    return FigureView(
        figure=drawn,
        alt=f"{len(texts)} texts by {texts[0].title}: "
        + "; ".join(f"{number + 1}, {_told(branches, texts, number)}" for number in rows),
        table=_table(branches, texts),
        caption=provenance(texts[0].title, f"{len(texts)} texts"),
        name=file_name("branches", texts[0].title),
    )


def named(branches: Sequence[TextBranch], texts: Sequence[WrittenText], number: int) -> str:
    """Return what a menu calls a text: its number, where it leaves another one, and how."""
    return f"{number + 1} · {_told(branches, texts, number)}"


def _told(branches: Sequence[TextBranch], texts: Sequence[WrittenText], number: int) -> str:
    branch, text = branches[number], texts[number]
    if branch.parent is None:
        return "the first text"
    before = f"text {branch.parent + 1} up to {text.unit} {branch.place}" if branch.place else "the prompt"
    return f"{before}, then {_forced(branch, text) or f'resampled with seed {branch.seed}'}"


def _forced(branch: TextBranch, text: WrittenText) -> str:
    """Return which tokens were forced; nothing where none was."""
    if not branch.forced:
        return ""
    end = branch.place + branch.forced
    written = " ".join(text.text(branch.place, end).split()) or " ".join(map(shown, text.words[branch.place : end]))
    return f"“{shortened(written, 24)}” forced"


def _own(branch: TextBranch) -> set[int]:
    return set() if branch.parent is None else {branch.place}


def _rows(branches: Sequence[TextBranch]) -> list[int]:
    """Return the numbers of the texts from top to bottom."""

    def under(text: int) -> list[int]:
        leaving = [number for number, branch in enumerate(branches) if branch.parent == text]
        leaving.sort(key=lambda number: (-branches[number].place, number))
        return [text, *(below for number in leaving for below in under(number))]

    return under(0)


def _path(branches: Sequence[TextBranch], chosen: int) -> dict[int, int | None]:
    """Return the texts that the chosen one is made of, each with the place at which it is left; None for its end."""
    path: dict[int, int | None] = {}
    number: int = chosen
    left: int | None = None
    while True:
        path[number] = left
        parent, left = branches[number].parent, branches[number].place
        if parent is None:
            return path
        number = parent


def _lines(
    branches: Sequence[TextBranch],
    columns: Mapping[int, float],
    rows: Mapping[int, int],
    end: float,
    path: Mapping[int, int | None],
) -> list[go.Scatter]:
    """Return the lines of all texts, and over them, thick, that of the chosen one from the beginning to its end."""
    thin = [_line(branches, text, columns, rows, end) for text in rows]
    thick = [
        _line(branches, text, columns, rows, end if left is None else columns[left] - _ELBOW)
        for text, left in path.items()
    ]
    return [
        go.Scatter(
            x=[x for line in lines for x, _ in (*line, _GAP)], y=[y for line in lines for _, y in (*line, _GAP)],
            mode="lines", line=look, hoverinfo="skip", showlegend=False,
        )
        for lines, look in ((thin, {"color": theme.MUTED, "width": 1.4}), (thick, {"color": _CHOSEN, "width": 4}))
    ]  # fmt: skip


def _line(
    branches: Sequence[TextBranch], text: int, columns: Mapping[int, float], rows: Mapping[int, int], end: float
) -> list[tuple[float, float]]:
    """Return the corners of a text's line, from the text that it leaves to ``end``."""
    branch, row = branches[text], rows[text]
    if branch.parent is None:
        return [(_START, row), (end, row)]
    start = columns[branch.place] - _ELBOW
    return [(start, rows[branch.parent]), (start, row), (end, row)]


def _tokens(nodes: Sequence[_Node], texts: Sequence[WrittenText], path: dict[int, int | None]) -> go.Scatter:
    """Return the tokens at which texts part."""
    words = [shown(texts[node.text].words[node.place]) for node in nodes]
    taken = [node.text in path and (path[node.text] is None or node.place < (path[node.text] or 0)) for node in nodes]
    return go.Scatter(
        x=[node.x for node in nodes], y=[node.y for node in nodes], mode="markers+text", textposition="top center",
        text=[_bold(shortened(word, _LETTERS), bold=one) for word, one in zip(words, taken, strict=True)],
        textfont={"size": 13, "color": theme.INK}, customdata=[str(node.text) for node in nodes], hoverinfo="text",
        hovertext=[
            f"{theme.plain(word)}: {texts[node.text].unit} {node.place + 1} of text {node.text + 1}, "
            f"p = {percent(float(texts[node.text].probabilities[node.place]))}"
            for word, node in zip(words, nodes, strict=True)
        ],
        marker={"size": 9, "opacity": 1, "color": [_CHOSEN if one else theme.MUTED for one in taken]},
    )  # fmt: skip


def _ends(
    branches: Sequence[TextBranch], texts: Sequence[WrittenText], rows: dict[int, int], end: float, chosen: int
) -> go.Scatter:
    """Return what each text has of its own, at the end of its row."""
    own = [" ".join(texts[text].text(branches[text].place).split()) for text in rows]
    return go.Scatter(
        x=[end] * len(rows), y=list(rows.values()), mode="markers+text", textposition="middle right",
        text=[
            "\u00a0" + _bold(shortened(words, _LINE), bold=text == chosen)
            for words, text in zip(own, rows, strict=True)
        ],
        textfont={"size": 13, "color": theme.INK}, customdata=[str(text) for text in rows], hoverinfo="text",
        hovertext=[
            f"{_wrapped(f'Text {text + 1}: {_told(branches, texts, text)}')}<br>{_wrapped(shortened(words, _HOVER))}"
            for words, text in zip(own, rows, strict=True)
        ],
        marker={
            "size": 11, "opacity": 1, "symbol": "square",
            "color": [_CHOSEN if text == chosen else theme.MUTED for text in rows],
        },
    )  # fmt: skip


def _bold(text: str, *, bold: bool) -> str:
    safe = theme.plain(text)
    return f"<b>{safe}</b>" if bold else safe


def _wrapped(text: str) -> str:
    """Return escaped text in lines that a window has room for."""
    lines = [""]
    for word in text.split():
        lines = [*lines[:-1], f"{lines[-1]} {word}"] if len(lines[-1]) + len(word) < 60 else [*lines, word]
    return "<br>".join(theme.plain(line.strip()) for line in lines)


def _table(branches: Sequence[TextBranch], texts: Sequence[WrittenText]) -> Table:
    """Return a row for each text."""
    first = branches[0]
    return {
        "text": [number + 1 for number in range(len(texts))],
        "branches from text": [None if one.parent is None else one.parent + 1 for one in branches],
        f"at {texts[0].unit}": [None if one is first else one.place + 1 for one in branches],
        "forced": [
            shown(text.text(one.place, one.place + one.forced)) for one, text in zip(branches, texts, strict=True)
        ],
        "seed": [one.seed for one in branches],
        "written": [text.text() for text in texts],
    }
