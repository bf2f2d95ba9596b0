"""A sentence's tree as a figure: shares are clear of all circles and of the ring of the chosen node."""

from __future__ import annotations

import numpy as np
import pytest

from nlpviz.figures.trees.sentence import sentence_tree
from nlpviz.results.trees import NodeAnswers
from nlpviz.text.trees import parse

NAMES = ("very negative", "negative", "neutral", "positive", "very positive")
RING, NODE, HIGH, LETTER = 18.0, 13.0, 13.0, 6.5  # pixels: radii, a line, a letter


@pytest.mark.parametrize("text", ["(bad film)", "(((a film) (not (at all))) (very (bad indeed)))"])
def test_shares_are_clear_of_circles_and_of_the_ring(text: str) -> None:
    tree = parse(text)
    answers = NodeAnswers("toy", "Toy", 1, tree, np.full((len(tree), 5), 0.2, np.float32), (True,) * len(tree.words))
    layout = sentence_tree(answers, NAMES, tree.root).figure.layout
    width = 42.0 * len(tree.words)
    across = (width - 12) / np.ptp(layout.xaxis.range)
    up = (layout.height - layout.margin.t - layout.margin.b) / np.ptp(layout.yaxis.range)
    nodes = {(note.x, note.y) for note in layout.annotations}
    assert len(layout.annotations) == len(tree)
    for note in layout.annotations:
        wide = LETTER * len(note.text)
        left = note.x * across - {"left": 0.0, "center": 0.5, "right": 1.0}[note.xanchor] * wide
        low = note.y * up + note.yshift - (HIGH if note.yanchor == "top" else 0)
        for x, y in nodes:
            near_x = np.clip(x * across, left, left + wide)
            near_y = np.clip(y * up, low, low + HIGH)
            least = RING if (x, y) == (note.x, note.y) else NODE
            assert np.hypot(near_x - x * across, near_y - y * up) >= least
