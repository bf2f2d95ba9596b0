"""What a person may do to a tree: swap the children of a node, negate it, leave it out, join it to its neighbour."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from nlpviz.text.trees import MOST_WORDS, Nested, Tree, of_nested

NOT = "not"


class Edit(NamedTuple):
    """One thing to do to a node.

    Attributes:
        label: of the button.
        says: what the button does.
        past: what was done to a phrase, after its words.
        applies: whether it can be done to a node.
        apply: returns the tree with it done; it has no labels, for nobody has labelled it.
    """

    label: str
    says: str
    past: str
    applies: Callable[[Tree, int], bool]
    apply: Callable[[Tree, int], Tree]


def swap(tree: Tree, node: int) -> Tree:
    """Return ``tree`` with the two children of ``node`` in the other order."""
    left, right = _pair(tree, node)
    return _made_anew(tree, node, lambda built: (built[right], built[left]))


def negate(tree: Tree, node: int) -> Tree:
    """Return ``tree`` with "not" joined to the left of ``node``."""
    return _made_anew(tree, node, lambda built: (NOT, built[node]))


def leave_out(tree: Tree, node: int) -> Tree:
    """Return ``tree`` without ``node``: its sibling stands in the place of both."""
    parent, sibling = _parent(tree, node), _sibling(tree, node)
    return _made_anew(tree, parent, lambda built: built[sibling])


def join_next(tree: Tree, node: int) -> Tree:
    """Return ``tree`` with ``node`` joined to the phrase on its right first: (x (y z)) becomes ((x y) z)."""
    near, far = _pair(tree, _sibling(tree, node))
    return _made_anew(tree, _parent(tree, node), lambda built: ((built[node], built[near]), built[far]))


def join_previous(tree: Tree, node: int) -> Tree:
    """Return ``tree`` with ``node`` joined to the phrase on its left first: ((x y) z) becomes (x (y z))."""
    far, near = _pair(tree, _sibling(tree, node))
    return _made_anew(tree, _parent(tree, node), lambda built: (built[far], (built[near], built[node])))


def _joins(side: int) -> Callable[[Tree, int], bool]:
    """Return what says whether a node is the child on ``side`` of its parent, and its sibling has children."""

    def joins(tree: Tree, node: int) -> bool:
        parent = tree.parents[node]
        return parent is not None and _pair(tree, parent)[side] == node and tree.below(_sibling(tree, node)) is not None

    return joins


EDITS = {
    "swap": Edit(
        "Swap", "swap the two children of the phrase", "swapped", lambda tree, node: tree.below(node) is not None, swap
    ),
    "negate": Edit(
        "Negate", "put “not” before the phrase", "negated", lambda tree, _: len(tree.words) < MOST_WORDS, negate
    ),
    "leave-out": Edit("Delete", "delete the phrase", "deleted", lambda tree, node: node != tree.root, leave_out),
    "join-next": Edit(
        "Join next",
        "join the phrase to its right neighbour: (x (y z)) becomes ((x y) z)",
        "joined to the next phrase",
        _joins(0),
        join_next,
    ),
    "join-previous": Edit(
        "Join previous",
        "join the phrase to its left neighbour: ((x y) z) becomes (x (y z))",
        "joined to the previous phrase",
        _joins(1),
        join_previous,
    ),
}
"""What may be done, by name."""


def _made_anew(tree: Tree, changed: int, make: Callable[[list[Nested]], Nested]) -> Tree:
    """Return ``tree`` with what ``make`` returns, of all nodes up to ``changed``, in the place of ``changed``."""
    built: list[Nested] = list(tree.words)
    for left, right in tree.children:
        built.append((built[left], built[right]))
    return of_nested(_replaced(tree, changed, make(built), built))


def _replaced(tree: Tree, changed: int, new: Nested, built: list[Nested]) -> Nested:
    """Return the whole tree with ``new`` in the place of ``changed``."""
    node = changed
    while (parent := tree.parents[node]) is not None:
        left, right = _pair(tree, parent)
        new = (new, built[right]) if left == node else (built[left], new)
        node = parent
    return new


def _pair(tree: Tree, node: int) -> tuple[int, int]:
    pair = tree.below(node)
    if pair is None:
        raise ValueError(f"{tree.phrase(node)!r} is a word and has no children")
    return pair


def _parent(tree: Tree, node: int) -> int:
    parent = tree.parents[node]
    if parent is None:
        raise ValueError("the whole sentence has no sibling")
    return parent


def _sibling(tree: Tree, node: int) -> int:
    left, right = _pair(tree, _parent(tree, node))
    return right if node == left else left
