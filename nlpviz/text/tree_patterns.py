"""Where a tree negates a phrase, and where it sets one phrase against another with "but".

Socher, Perelygin, Wu, Chuang, Manning, Ng and Potts (2013), sections 5.3 and 5.4, look at the same two.
"""

from __future__ import annotations

from typing import NamedTuple

from nlpviz.text.treebank import spelt
from nlpviz.text.trees import Tree

NEGATORS = frozenset(
    {"not", "n't", "never", "no", "nor", "neither", "without", "hardly", "barely", "cannot", "nothing", "none"}
    | {"lack", "lacks", "lacking"}
)
"""Words that turn what follows them; ``n't`` may stand with its verb, as in ``does n't``."""
_MARKS = frozenset({",", ";", ":", "-", "--", "...", "(", ")", '"', "'", "."})


class Negation(NamedTuple):
    """Nodes: ``whole`` is a negator joined to the phrase ``negated``."""

    whole: int
    negated: int


class Contrast(NamedTuple):
    """Nodes: ``whole`` is the lowest one over ``first``, "but" and ``second``, which follows it."""

    whole: int
    first: int
    second: int


def negations(tree: Tree) -> tuple[Negation, ...]:
    """Return every place where a negator, alone or after one other word, is joined to what follows."""
    found = []
    for node, (left, right) in enumerate(tree.children, start=len(tree.words)):
        first, end = tree.spans[left]
        if end - first <= 2 and spelt(tree.words[end - 1]) in NEGATORS:
            found.append(Negation(node, right))
    return tuple(found)


def contrasts(tree: Tree) -> tuple[Contrast, ...]:
    """Return every place where a phrase, "but" and another phrase follow each other, marks between them aside."""
    found = []
    for leaf, word in enumerate(tree.words):
        if spelt(word) != "but":
            continue
        before, after = _neighbour(tree, leaf, side=0), _neighbour(tree, leaf, side=1)
        if before is not None and after is not None:
            found.append(Contrast(max(before.whole, after.whole), before.negated, after.negated))
    return tuple(found)


def _neighbour(tree: Tree, leaf: int, side: int) -> Negation | None:
    """Return the phrase that is joined to ``leaf`` on one side, 0 for the left, and the node over both; marks aside."""
    node = leaf
    while (parent := tree.parents[node]) is not None:
        pair = tree.children[parent - len(tree.words)]
        sibling = pair[side]
        if sibling != node and not _is_mark(tree, sibling):
            return Negation(parent, sibling)
        node = parent
    return None


def _is_mark(tree: Tree, node: int) -> bool:
    first, end = tree.spans[node]
    return all(word in _MARKS for word in tree.words[first:end])
