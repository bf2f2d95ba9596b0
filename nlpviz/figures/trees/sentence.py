"""A sentence's tree with the class of every node: the words below, the whole sentence on top."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import plotly.graph_objects as go

from nlpviz.figures import phone, theme
from nlpviz.figures.trees.marks import SIGNS, marker, text_color
from nlpviz.figures.view import FigureView, provenance
from nlpviz.results.trees import NodeAnswers
from nlpviz.text.vocabulary import shortened

_SLOT, _ROW = 42, 50  # pixels: of a word at least, of a height
_LETTER, _BETWEEN = 7.2, 10  # pixels: of a letter, between two words
_UNSURE = 0.9  # a leaf that is surer says so where it is pointed at alone
_EDGES = 128
_LETTERS = 11
_SHORTEN_ROWS = 12  # of a higher tree the rows are lower
_SIZE, _RING = 24, 36
_CLEAR = _RING / 2 + 2  # pixels from the middle of a node to its share: outside the ring of the chosen one


def sentence_tree(answers: NodeAnswers, names: Sequence[str], chosen: int, labels: Sequence[int] = ()) -> FigureView:
    """Return the tree; a click hands on a node.

    Args:
        answers: of a network.
        names: of the five classes.
        chosen: the node that stands out.
        labels: what people said of each node; empty where nobody did.
    """
    tree, rows = answers.tree, int(answers.tree.heights.max())
    x, y = _places(answers)
    row = _ROW * min(1.0, _SHORTEN_ROWS / max(rows, 1)) if rows else _ROW
    drawn = theme.figure(
        height=round(row * max(rows, 1) + _EDGES), showlegend=False, margin={"l": 6, "r": 6, "t": 16, "b": 6},
        meta=phone.least_width(_slot(tree.words) * len(tree.words)),
        xaxis={"visible": False, "range": [-0.6, len(tree.words) - 0.4], "fixedrange": True},
        yaxis={"visible": False, "range": [-1.25, rows + 0.85], "fixedrange": True},
        annotations=_shares(answers, x, y),
    )  # fmt: skip
    drawn.add_traces([_edges(answers, x, y), _ring(x, y, chosen), _nodes(answers, names, (x, y), labels)])
    drawn.add_trace(_words(answers, x))
    return FigureView(
        figure=drawn,
        alt=_alt(answers, names),
        table=_table(answers, names, labels),
        caption=provenance(f"{answers.title}, epoch {answers.epoch}", f"{len(tree.words)} words"),
        name=f"{answers.run}-epoch-{answers.epoch}-tree",
    )


def _slot(words: Sequence[str]) -> float:
    """Return the pixels of a word, so that no two beside each other meet."""
    letters = [min(len(word), _LETTERS) for word in words]
    return max([_SLOT, *(_LETTER * (one + other) / 2 + _BETWEEN for one, other in pairwise(letters))])


def _places(answers: NodeAnswers) -> tuple[list[float], list[float]]:
    """Return where nodes stand: words in a row, every other one over the middle of its children, at its height."""
    tree = answers.tree
    x = [float(place) for place in range(len(tree.words))]
    for left, right in tree.children:
        x.append((x[left] + x[right]) / 2)
    return x, [float(height) for height in tree.heights]


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


def _nodes(
    answers: NodeAnswers, names: Sequence[str], places: tuple[Sequence[float], Sequence[float]], labels: Sequence[int]
) -> go.Scatter:
    """Return the circles with their signs."""
    classes = [int(label) for label in answers.classes]
    x, y = places
    same = {
        "customdata": [str(node) for node in range(len(classes))],
        "hovertext": [_hover(answers, node, names, labels) for node in range(len(classes))],
        "hoverinfo": "text",
    }
    return go.Scatter(
        x=x, y=y, mode="markers+text", marker=marker(classes, _SIZE), text=[SIGNS[label] for label in classes],
        textfont={"size": 12, "color": [text_color(label) for label in classes]}, **same,
    )  # fmt: skip


def _shares(answers: NodeAnswers, x: Sequence[float], y: Sequence[float]) -> list[dict[str, object]]:
    """Return how likely the class of each node is, clear of all circles: under a word's, over any other one.

    Over a node it stands on the side that the edge to its parent does not take.
    """
    leaves = len(answers.tree.words)
    parents = {child: node for node, pair in enumerate(answers.tree.children, start=leaves) for child in pair}
    notes: list[dict[str, object]] = []
    for node, share in enumerate(answers.probabilities.max(axis=1).tolist()):
        if node < leaves and share >= _UNSURE:
            continue
        side = 0.0 if node < leaves or node not in parents else x[node] - x[parents[node]]
        notes.append(
            {
                "x": x[node], "y": y[node], "text": f"{share:.0%}", "showarrow": False, "borderpad": 0,
                "yanchor": "top" if node < leaves else "bottom", "yshift": -_CLEAR if node < leaves else _CLEAR,
                "xanchor": "left" if side > 0 else "right" if side < 0 else "center",
                "font": {"size": 11, "color": theme.MUTED},
            }
        )  # fmt: skip
    return notes


def _words(answers: NodeAnswers, x: Sequence[float]) -> go.Scatter:
    words = [theme.plain(shortened(word, _LETTERS)) for word in answers.tree.words]
    return go.Scatter(
        x=x[: len(words)], y=[-0.95] * len(words), mode="text", textfont={"size": 13},
        text=[word if known else f"<i>{word}</i> ?" for word, known in zip(words, answers.known, strict=True)],
        customdata=[str(place) for place in range(len(words))], hoverinfo="skip",
    )  # fmt: skip


def _hover(answers: NodeAnswers, node: int, names: Sequence[str], labels: Sequence[int]) -> str:
    said = f"<b>{theme.plain(shortened(answers.tree.phrase(node), 60))}</b>"
    shares = "<br>".join(f"{name} {share:.0%}" for name, share in zip(names, answers.probabilities[node], strict=True))
    people = f"<br>people: {names[labels[node]]}" if len(labels) else ""
    return f"{said}<br>{shares}{people}"


def _alt(answers: NodeAnswers, names: Sequence[str]) -> str:
    tree, root = answers.tree, answers.tree.root
    counts = np.bincount(answers.classes, minlength=len(names))
    said = ", ".join(f"{count} {name}" for name, count in zip(names, counts, strict=True) if count)
    whole = f"{names[int(answers.classes[root])]} ({answers.probabilities[root].max():.0%})"
    return f"The tree of “{tree.phrase(root)}” by {answers.title}, epoch {answers.epoch}: {whole}. Nodes: {said}."


def _table(answers: NodeAnswers, names: Sequence[str], labels: Sequence[int]) -> dict[str, Sequence[object]]:
    """Return a row for each node, the whole sentence first."""
    nodes = list(reversed(range(len(answers.tree))))
    columns: dict[str, Sequence[object]] = {
        "phrase": [answers.tree.phrase(node) for node in nodes],
        "class": [names[int(answers.classes[node])] for node in nodes],
    }
    for place, name in enumerate(names):
        columns[f"p({name})"] = [float(answers.probabilities[node, place]) for node in nodes]
    columns["expected class, -2 to 2"] = [float(answers.sentiment[node]) for node in nodes]
    if len(labels):
        columns["people"] = [names[labels[node]] for node in nodes]
    return columns
