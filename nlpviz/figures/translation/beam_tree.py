"""A beam search as a tree that grows downwards: what was kept, what was pruned, the best path, the greedy one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from itertools import pairwise
from typing import NamedTuple

import plotly.graph_objects as go

from nlpviz.figures import numbers, phone, theme
from nlpviz.figures.translation.alignments import caption, file_name, shown_word
from nlpviz.figures.view import FigureView, Table
from nlpviz.results.alignment import BeamNode, BeamTree, NodeStatus, Translation
from nlpviz.text.vocabulary import shortened

_ROW = 68  # pixels
_SIDE = 0.6  # in slots of a word: room beside the outermost ones
_UNDER = 0.57  # of a row: where the lines to a node's children begin, under its word
_LETTERS = 9
_SLOT = 62  # pixels that so many letters need
_BEST, _GREEDY = theme.MAGNITUDE, theme.CATEGORIES[4]
_STATUSES = {
    NodeStatus.KEPT: "kept",
    NodeStatus.ENDED: "kept, completes a translation",
    NodeStatus.PRUNED: "pruned",
    NodeStatus.GREEDY: "reached by greedy search only",
}


class _Drawn(NamedTuple):
    """A node, its position in the tree's nodes, and where it is drawn."""

    number: int
    node: BeamNode
    x: float


def best_path(tree: BeamTree) -> tuple[int, ...]:
    """Return the nodes of the best translation."""
    return tree.path(tree.ends[0]) if tree.ends else ()


def greedy_leaves(tree: BeamTree) -> int | None:
    """Return the first step, from 0, at which greedy search takes a word that the beam does not keep; None if none."""
    statuses = (tree.nodes[number].status for number in tree.greedy)
    return next(
        (step for step, status in enumerate(statuses) if status in (NodeStatus.PRUNED, NodeStatus.GREEDY)), None
    )


def beam_tree(translation: Translation, until: int, pruned: int = 3) -> FigureView:
    """Return the first ``until`` steps of a search, one under the other, the most probable hypotheses to the left.

    Candidates that were not kept stand in grey to the right, those that only greedy search reached to the
    left. A click hands on the position of a node in :attr:`nlpviz.results.alignment.BeamTree.nodes`.

    Args:
        translation: with its tree.
        until: steps that are drawn; the figure is as high, and as wide, as all of them.
        pruned: how many of the words that a step did not keep are drawn.
    """
    tree = translation.tree
    if tree is None:
        raise ValueError(f"the search of {translation.run} was not recorded")
    every = _laid_out(tree, pruned)
    nodes = {number: one for number, one in every.items() if one.node.step < until}
    positions = [one.x for one in every.values()] or [0.0]
    left, right = min(positions) - _SIDE, max(positions) + _SIDE
    rows = max(tree.steps, 1)
    drawn = theme.figure(
        height=_ROW * rows + 60, margin={"l": 30, "r": 4, "t": 44, "b": 4},
        meta=phone.least_width(_SLOT * (right - left)),
        legend={"itemclick": False, "itemdoubleclick": False},
        xaxis={"visible": False, "range": [left, right]},
        yaxis={
            "range": [rows - 0.1, -0.35], "showgrid": False, "zeroline": False, "tickvals": list(range(until)),
            "ticktext": [str(step + 1) for step in range(until)],
        },
    )  # fmt: skip
    drawn.add_traces([*_edges(tree, nodes), *_marks(tree, nodes)])
    return FigureView(
        figure=drawn,
        alt=_alt(translation, tree, until),
        table=_table(tree, until),
        caption=caption(translation, f"{until} of {tree.steps} steps"),
        name=file_name(translation, "beam"),
    )


def _laid_out(tree: BeamTree, pruned: int) -> Mapping[int, _Drawn]:
    """Return the nodes that are drawn: kept ones by rank, the first pruned ones, those of greedy search alone.

    Beyond the pruned ones is a place for the one that greedy search takes further down.
    """
    greedy = set(tree.greedy)
    nodes: dict[int, _Drawn] = {}
    counts: dict[tuple[int, bool], int] = {}  # of the nodes of a step that were kept, and of those that were not
    for number, node in enumerate(tree.nodes):
        if node.status == NodeStatus.GREEDY:
            nodes[number] = _Drawn(number, node, -1.1)
            continue
        kept = node.status != NodeStatus.PRUNED
        rank = counts.get((node.step, kept), 0)
        counts[node.step, kept] = rank + 1
        if kept or rank < pruned or number in greedy:  # wherever greedy search goes is seen
            nodes[number] = _Drawn(number, node, rank if kept else tree.width + 0.3 + min(rank, pruned))
    return nodes


def _edges(tree: BeamTree, nodes: Mapping[int, _Drawn]) -> list[go.Scatter]:
    """Return the lines between words: pruned, kept, the best translation's, greedy search's."""
    joined = [(nodes[one.node.parent], one) for one in nodes.values() if one.node.parent in nodes]
    pruned = [pair for pair in joined if pair[1].node.status == NodeStatus.PRUNED]
    kept = [pair for pair in joined if pair[1].node.status in (NodeStatus.KEPT, NodeStatus.ENDED)]
    best, greedy = ([nodes[one] for one in path if one in nodes] for path in (best_path(tree), tree.greedy))
    return [
        _lines(pruned, "pruned", {"color": theme.ZERO, "width": 1, "dash": "dot"}),
        _lines(kept, "kept", {"color": theme.MUTED, "width": 1.2}),
        _lines(list(pairwise(best)), "best translation", {"color": _BEST, "width": 4}),
        _lines(list(pairwise(greedy)), "greedy search", {"color": _GREEDY, "width": 2, "dash": "dash"}),
    ]


def _lines(pairs: Sequence[tuple[_Drawn, _Drawn]], name: str, line: dict[str, object]) -> go.Scatter:
    """Return lines from under one word to the next, as one trace."""
    return go.Scatter(
        x=[x for one, other in pairs for x in (one.x, other.x, None)],
        y=[y for one, other in pairs for y in (one.node.step + _UNDER, other.node.step - 0.06, None)],
        mode="lines", name=name, line=line, hoverinfo="skip", showlegend=bool(pairs),
    )  # fmt: skip


def _marks(tree: BeamTree, nodes: Mapping[int, _Drawn]) -> Iterator[go.Scatter]:
    """Return the words: pruned, kept, those of the best translation, those that only greedy search reached."""
    best = set(best_path(tree))
    kinds: dict[str, list[_Drawn]] = {"pruned": [], "kept": [], "best": [], "greedy": []}
    for number, one in nodes.items():
        other = {NodeStatus.PRUNED: "pruned", NodeStatus.GREEDY: "greedy"}.get(one.node.status, "kept")
        kinds["best" if number in best else other].append(one)
    colors = {"pruned": theme.ZERO, "kept": theme.MUTED, "best": _BEST, "greedy": _GREEDY}
    for kind, own in kinds.items():
        ended = [one.node.status == NodeStatus.ENDED for one in own]
        yield go.Scatter(
            x=[one.x for one in own], y=[one.node.step for one in own], mode="markers+text", showlegend=False,
            text=[_label(one.node, bold=kind == "best") for one in own], textposition="bottom center",
            textfont={"size": 12, "color": theme.MUTED if kind == "pruned" else theme.INK},
            customdata=[str(one.number) for one in own], hovertext=[_hover(one.node) for one in own], hoverinfo="text",
            marker={
                "color": colors[kind], "opacity": 1, "size": [11 if end else 8 for end in ended],
                "symbol": ["square" if end else "circle" for end in ended],
            },
        )  # fmt: skip


def _label(node: BeamNode, *, bold: bool) -> str:
    short = escape(shortened(shown_word(node.word), _LETTERS))
    log_probability = numbers.number(node.log_probability, signed=False)
    return f"{f'<b>{short}</b>' if bold else short}<br><span style='font-size:10px'>{log_probability}</span>"


def _hover(node: BeamNode) -> str:
    values = (node.log_probability, node.total, node.score)
    own, total, score = (numbers.number(value, ".3f", signed=False) for value in values)
    said = f"{escape(shown_word(node.word))}, step {node.step + 1}: {_STATUSES[node.status]}"
    return f"{said}<br>log-probability {own}, total {total}, score {score}"


def _alt(translation: Translation, tree: BeamTree, until: int) -> str:
    looked = [node for node in tree.nodes if node.step < until and node.status != NodeStatus.GREEDY]
    kept = sum(node.status != NodeStatus.PRUNED for node in looked)
    left = greedy_leaves(tree)
    path = "stays in the beam" if left is None else f"leaves the beam at step {left + 1}"
    return (
        f"Beam search of width {tree.width}, {until} of {tree.steps} steps: {len(looked)} candidates "
        f"scored, {kept} kept. Best translation: {translation.text} Greedy search {path}."
    )


def _table(tree: BeamTree, until: int) -> Table:
    """Return a row for each candidate that was scored."""
    rows = [(number, node) for number, node in enumerate(tree.nodes) if node.step < until]
    best, greedy = set(best_path(tree)), set(tree.greedy)
    return {
        "step": [node.step + 1 for _, node in rows],
        "hypothesis": [" ".join(map(shown_word, tree.words(number))) for number, _ in rows],
        "log-probability of the last word": [node.log_probability for _, node in rows],
        "log-probability": [node.total for _, node in rows],
        "score": [node.score for _, node in rows],
        "status": [str(node.status) for _, node in rows],
        "best translation": ["yes" if number in best else "no" for number, _ in rows],
        "greedy search": ["yes" if number in greedy else "no" for number, _ in rows],
    }
