"""A sentence's tree as a figure: shares are clear of circles and their ring, of words and of each other."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import plotly.graph_objects as go
import pytest

from nlpviz.figures.trees.sentence import sentence_tree
from nlpviz.results.trees import NodeAnswers
from nlpviz.text.trees import Tree, of_nested, parse

NAMES = ("very negative", "negative", "neutral", "positive", "very positive")
RING, HIGH, LETTER = 18.0, 13.0, 6.5  # pixels: a radius, a line, a letter
SENTENCE = "The plot is not thin and the actors are never bad , but I was rather bored by the endless songs ."
LONG = SENTENCE.split()


def branching(words: list[str], sides: str) -> Tree:
    """Return the tree that takes a word from its left or right end by turns, as ``sides`` says."""
    left, right = 0, len(words)
    taken = []
    while right - left > 1:
        side = sides[len(taken) % len(sides)]
        taken.append((side, words[left] if side == "l" else words[right - 1]))
        left, right = (left + 1, right) if side == "l" else (left, right - 1)
    nested: object = words[left]
    for side, word in reversed(taken):
        nested = (word, nested) if side == "l" else (nested, word)
    return of_nested(nested)  # type: ignore[arg-type]


def drawn(tree: Tree) -> go.Figure:
    answers = NodeAnswers("toy", "Toy", 1, tree, np.full((len(tree), 5), 0.2, np.float32), (True,) * len(tree.words))
    return sentence_tree(answers, NAMES, tree.root).figure


@pytest.mark.parametrize("wider", [1.0, 2.0])
@pytest.mark.parametrize(
    "tree",
    [
        parse("(bad film)"), parse("(((a film) (not (at all))) (very (bad indeed)))"),
        *(branching(LONG, sides) for sides in ("l", "r", "lr", "llr", "rrlll")),
        branching(["unforgettable"] * 30, "lr"), branching([*".,!?abcdef"], "rl"),
    ],
)  # fmt: skip
def test_shares_are_clear_of_circles_the_ring_words_and_each_other(tree: Tree, wider: float) -> None:
    figure = drawn(tree)
    layout = figure.layout
    across = (wider * layout.meta["least_width"] - 12) / np.ptp(layout.xaxis.range)
    up = (layout.height - layout.margin.t - layout.margin.b) / np.ptp(layout.yaxis.range)
    nodes, words = figure.data[-2:]
    assert len(layout.annotations) == len(tree)
    shares = []
    for note in layout.annotations:
        wide = LETTER * len(note.text)
        left = note.x * across - {"left": 0.0, "center": 0.5, "right": 1.0}[note.xanchor] * wide
        low = note.y * up + note.yshift - (HIGH if note.yanchor == "top" else 0)
        shares.append((left, low, left + wide, low + HIGH))
        for x, y in zip(nodes.x, nodes.y, strict=True):
            near_x = np.clip(x * across, left, left + wide)
            near_y = np.clip(y * up, low, low + HIGH)
            assert np.hypot(near_x - x * across, near_y - y * up) >= RING
    written = [
        (x * across - LETTER * len(word) / 2, y * up - HIGH / 2, x * across + LETTER * len(word) / 2, y * up + HIGH / 2)
        for x, y, word in zip(words.x, words.y, words.text, strict=True)
    ]
    pairs = [*combinations(shares, 2), *combinations(written, 2), *((one, word) for one in shares for word in written)]
    for one, other in pairs:
        assert max(one[0] - other[2], other[0] - one[2], one[1] - other[3], other[1] - one[3]) >= 0


def test_a_long_sentence_fits_a_small_window() -> None:
    layout = drawn(branching(LONG, "l")).layout
    assert layout.height <= 490
    assert layout.meta["least_width"] <= 960
