"""A sentence's tree with the class of every node: the words below, the whole sentence on top."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import plotly.graph_objects as go

from nlpviz.figures import phone, theme
from nlpviz.figures.trees.marks import SIGNS, marker, text_color
from nlpviz.figures.view import FigureView, Table, provenance
from nlpviz.results.trees import NodeAnswers
from nlpviz.text.vocabulary import shortened

_SLOT = 40  # pixels: from a word to the next at least
_LETTER, _BETWEEN = 7.2, 10  # pixels: of a letter, between two words
_ROWS = (18, 20, 22, 24, 27, 30, 35, 40, 45, 50)  # pixels: of a height; the lowest that fits, then what shares need
_FITS = 480  # pixels of a figure that a small window shows
_WORDS = 46  # pixels from the middle of a leaf down to its word's
_TOP, _FOOT = 38, 56  # pixels over the middle of the root and under those of the leaves
_MARGIN = 6
_UNSURE = 0.9  # a leaf that is surer says so where it is pointed at alone
_LETTERS = 11
_SIZE, _RING = 24, 36
_CLEAR = _RING / 2 + 2  # pixels from the middle of a node to its share: outside the ring of the chosen one
_SHARE, _DIGIT = 14, 7.4  # pixels: the height of a share, and the width of a letter of it


def sentence_tree(answers: NodeAnswers, names: Sequence[str], chosen: int) -> FigureView:
    """Return the tree; a click hands on a node.

    Args:
        answers: of a network.
        names: of the five classes.
        chosen: the node that stands out.
    """
    tree = answers.tree
    x = _across(answers)
    row, shares = _fitting(answers, x)
    rows = max(int(tree.heights.max()), 1)
    y = [float(height) for height in tree.heights]
    width = x[len(tree.words) - 1] + _SLOT
    drawn = theme.figure(
        height=row * rows + _TOP + _FOOT + 2 * _MARGIN, showlegend=False,
        margin=dict.fromkeys("lrtb", _MARGIN), meta=phone.least_width(width + 2 * _MARGIN),
        xaxis={"visible": False, "range": [-_SLOT / 2, width - _SLOT / 2], "fixedrange": True},
        yaxis={"visible": False, "range": [-_FOOT / row, rows + _TOP / row], "fixedrange": True},
        annotations=shares,
    )  # fmt: skip
    drawn.add_traces([_edges(answers, x, y), _ring(x, y, chosen), _nodes(answers, names, x, y)])
    drawn.add_trace(_words(answers, x, -_WORDS / row))
    return FigureView(
        figure=drawn,
        alt=_alt(answers, names),
        table=_table(answers, names),
        caption=provenance(f"{answers.title}, epoch {answers.epoch}", f"{len(tree.words)} words"),
        name=f"{answers.run}-epoch-{answers.epoch}-tree",
    )


def _across(answers: NodeAnswers) -> list[float]:
    """Return the pixels from the first word to each node: words by their lengths, others over their two children."""
    words = zip(answers.tree.words, answers.known, strict=True)
    letters = [min(len(word), _LETTERS) + 2 * (not known) for word, known in words]
    x = [0.0]
    for one, other in pairwise(letters):
        x.append(x[-1] + max(_SLOT, _LETTER * (one + other) / 2 + _BETWEEN))
    for left, right in answers.tree.children:
        x.append((x[left] + x[right]) / 2)
    return x


def _edges(answers: NodeAnswers, x: Sequence[float], y: Sequence[float]) -> go.Scatter:
    tree = answers.tree
    pairs = [(node, child) for node, pair in enumerate(tree.children, start=len(tree.words)) for child in pair]
    return go.Scatter(
        x=[place for node, child in pairs for place in (x[node], x[child], None)],
        y=[place for node, child in pairs for place in (y[node], y[child], None)],
        mode="lines", line={"color": theme.ZERO, "width": 1.5}, hoverinfo="skip",
    )  # fmt: skip


def _ring(x: Sequence[float], y: Sequence[float], chosen: int) -> go.Scatter:
    return go.Scatter(
        x=[x[chosen]], y=[y[chosen]], mode="markers", hoverinfo="skip",
        marker={"size": _RING, "symbol": "circle-open", "color": theme.INK, "line": {"width": 2.5}},
    )  # fmt: skip


def _nodes(answers: NodeAnswers, names: Sequence[str], x: Sequence[float], y: Sequence[float]) -> go.Scatter:
    """Return the circles with their signs."""
    classes = [int(label) for label in answers.classes]
    same = {
        "customdata": [str(node) for node in range(len(classes))],
        "hovertext": [_hover(answers, node, names) for node in range(len(classes))],
        "hoverinfo": "text",
    }
    return go.Scatter(
        x=x, y=y, mode="markers+text", marker=marker(classes, _SIZE), text=[SIGNS[label] for label in classes],
        textfont={"size": 12, "color": [text_color(label) for label in classes]}, **same,
    )  # fmt: skip


def _fitting(answers: NodeAnswers, x: Sequence[float]) -> tuple[int, list[dict[str, object]]]:
    """Return the pixels of a height and the shares: as low as a small window asks for, where all of them have room."""
    rows = max(int(answers.tree.heights.max()), 1)
    room = (_FITS - _TOP - _FOOT - 2 * _MARGIN) / rows
    wanted = max((row for row in _ROWS if row <= room), default=_ROWS[0])
    for row in _ROWS[_ROWS.index(wanted) :]:
        notes, missing = _shares(answers, x, row)
        if not missing:
            break
    return row, notes


def _shares(answers: NodeAnswers, x: Sequence[float], row: int) -> tuple[list[dict[str, object]], int]:
    """Return how likely the class of each node is, clear of circles, words and each other, and how many found no room.

    Under a word's circle, over any other one: first on the side that the edge to its parent does not take.
    """
    leaves = len(answers.tree.words)
    y = [float(row * height) for height in answers.tree.heights]
    parents = {child: node for node, pair in enumerate(answers.tree.children, start=leaves) for child in pair}
    rings = np.column_stack([x, y])  # any node may become the chosen one
    taken = [np.empty((0, 2))]
    notes: list[dict[str, object]] = []
    missing = 0
    for node, share in enumerate(answers.probabilities.max(axis=1).tolist()):
        if node < leaves and share >= _UNSURE:
            continue
        text, under = f"{share:.0%}", node < leaves
        half = np.array([_DIGIT * len(text) / 2, _SHARE / 2])
        outer = 0.0 if under or node not in parents else float(np.sign(x[node] - x[parents[node]]))
        up = (_CLEAR + half[1]) * (-1 if under else 1)
        for side in (outer,) if under else (outer, 0.0, -outer):
            middle = np.array([x[node] + side * half[0], y[node] + up])
            to_rings = np.maximum(np.abs(rings - middle) - half, 0)
            apart = np.abs(np.vstack(taken) - middle) - [2 * half[0] + _DIGIT, _SHARE]
            if (np.hypot(*to_rings.T) >= _RING / 2).all() and (apart.max(axis=1, initial=-np.inf) >= 0).all():
                break
        else:
            missing += 1
            continue
        taken.append(middle[None])
        notes.append(
            {
                "x": x[node], "y": y[node] / row, "text": text, "showarrow": False, "borderpad": 0,
                "yanchor": "top" if under else "bottom", "yshift": -_CLEAR if under else _CLEAR,
                "xanchor": "left" if side > 0 else "right" if side < 0 else "center",
                "font": {"size": 11, "color": theme.MUTED},
            }
        )  # fmt: skip
    return notes, missing


def _words(answers: NodeAnswers, x: Sequence[float], y: float) -> go.Scatter:
    words = [theme.plain(shortened(word, _LETTERS)) for word in answers.tree.words]
    return go.Scatter(
        x=x[: len(words)], y=[y] * len(words), mode="text", textfont={"size": 13},
        text=[word if known else f"<i>{word}</i> ?" for word, known in zip(words, answers.known, strict=True)],
        customdata=[str(place) for place in range(len(words))], hoverinfo="skip",
    )  # fmt: skip


def _hover(answers: NodeAnswers, node: int, names: Sequence[str]) -> str:
    said = f"<b>{theme.plain(shortened(answers.tree.phrase(node), 60))}</b>"
    shares = "<br>".join(f"{name} {share:.0%}" for name, share in zip(names, answers.probabilities[node], strict=True))
    labels = answers.tree.labels
    people = f"<br>human label: {names[labels[node]]}" if labels else ""
    return f"{said}<br>{shares}{people}"


def _alt(answers: NodeAnswers, names: Sequence[str]) -> str:
    tree, root = answers.tree, answers.tree.root
    counts = np.bincount(answers.classes, minlength=len(names))
    said = ", ".join(f"{count} {name}" for name, count in zip(names, counts, strict=True) if count)
    whole = f"{names[int(answers.classes[root])]} ({answers.probabilities[root].max():.0%})"
    return f"The tree of “{tree.phrase(root)}” by {answers.title}, epoch {answers.epoch}: {whole}. Nodes: {said}."


def _table(answers: NodeAnswers, names: Sequence[str]) -> Table:
    """Return a row for each node, the whole sentence first."""
    nodes = list(reversed(range(len(answers.tree))))
    columns: Table = {
        "phrase": [answers.tree.phrase(node) for node in nodes],
        "class": [names[int(answers.classes[node])] for node in nodes],
    }
    for place, name in enumerate(names):
        columns[f"p({name})"] = [float(answers.probabilities[node, place]) for node in nodes]
    columns["expected class, −2 to 2"] = [float(answers.sentiment[node]) for node in nodes]
    if labels := answers.tree.labels:
        columns["people"] = [names[labels[node]] for node in nodes]
    return columns
