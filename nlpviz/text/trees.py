"""Sentences with a binary tree over their words: written in brackets, read back, or branching to the right.

A tree of n words has 2n - 1 nodes. The leaves are 0 to n - 1, in the order of the words; the inner nodes follow, each
after its two children, so that the last node is the root. The Stanford Sentiment Treebank (Socher et al. 2013) writes
``(3 (2 a) (3 splash))``: a label, then a word or two trees.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import regex
from numpy.typing import NDArray

Nested = str | tuple["Nested", "Nested"]
"""A tree without labels: a word, or the trees on its left and on its right."""
MOST_WORDS = 200
"""A typed sentence with more words is refused: its picture could not be read."""
_PIECE = regex.compile(r"[()]|[^ \t\r\n()]+")  # a word of the treebank has a no-break space: 8 1/2
_DIGITS = frozenset("01234")
_WRITTEN = {"(": "-LRB-", ")": "-RRB-"}
_READ = {"-LRB-": "(", "-RRB-": ")", "-lrb-": "(", "-rrb-": ")", "``": '"', "''": '"'}


class TreeError(ValueError):
    """A text that is no tree; the message is one sentence for people."""


@dataclass(frozen=True)
class Tree:
    """A binary tree over the words of a sentence.

    Attributes:
        words: n of them, as they are shown.
        children: of each of the n - 1 inner nodes its left and its right child; a child comes before its parent.
        labels: of each of the 2n - 1 nodes; empty where nobody has labelled them.
    """

    words: tuple[str, ...]
    children: tuple[tuple[int, int], ...]
    labels: tuple[int, ...] = ()

    def __len__(self) -> int:
        """Return the number of nodes."""
        return len(self.words) + len(self.children)

    @property
    def root(self) -> int:
        """The node over all words."""
        return len(self) - 1

    @cached_property
    def spans(self) -> tuple[tuple[int, int], ...]:
        """The words ``first:end`` of each node."""
        spans = [(place, place + 1) for place in range(len(self.words))]
        for left, right in self.children:
            spans.append((spans[left][0], spans[right][1]))
        return tuple(spans)

    @cached_property
    def heights(self) -> NDArray[np.int64]:
        """How many steps it is from each node down to its farthest leaf, (2n - 1,)."""
        heights = np.zeros(len(self), dtype=np.int64)
        for node, (left, right) in enumerate(self.children, start=len(self.words)):
            heights[node] = 1 + max(heights[left], heights[right])
        return heights

    @cached_property
    def parents(self) -> tuple[int | None, ...]:
        """The parent of each node; None of the root."""
        parents: list[int | None] = [None] * len(self)
        for node, pair in enumerate(self.children, start=len(self.words)):
            for child in pair:
                parents[child] = node
        return tuple(parents)

    def below(self, node: int) -> tuple[int, int] | None:
        """Return the children of ``node``, None of a leaf."""
        return None if node < len(self.words) else self.children[node - len(self.words)]

    def phrase(self, node: int) -> str:
        """Return the words of ``node`` with a space between two of them."""
        first, end = self.spans[node]
        return " ".join(self.words[first:end])

    def nested(self) -> Nested:
        """Return the tree as nested pairs, without its labels."""
        built: list[Nested] = list(self.words)
        for left, right in self.children:
            built.append((built[left], built[right]))
        return built[-1]


class _Builder:
    """Leaves and inner nodes as they are met; a leaf i is named i, and the inner node j is named ~j."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self.inner: list[tuple[int, int]] = []
        self.labels: dict[int, int] = {}

    def leaf(self, word: str) -> int:
        self.words.append(word)
        return len(self.words) - 1

    def join(self, left: int, right: int) -> int:
        self.inner.append((left, right))
        return ~(len(self.inner) - 1)

    def tree(self) -> Tree:
        def place(name: int) -> int:
            return name if name >= 0 else len(self.words) + ~name

        children = tuple((place(left), place(right)) for left, right in self.inner)
        labels = {place(name): label for name, label in self.labels.items()}
        return Tree(tuple(self.words), children, tuple(labels[node] for node in sorted(labels)))


def of_nested(nested: Nested) -> Tree:
    """Return the tree that nested pairs stand for, however deep they are."""
    builder, done, stack = _Builder(), list[int](), list[Nested | None]([nested])
    while stack:
        part = stack.pop()
        if part is None:
            right, left = done.pop(), done.pop()
            done.append(builder.join(left, right))
        elif isinstance(part, str):
            done.append(builder.leaf(part))
        else:
            stack += [None, part[1], part[0]]
    return builder.tree()


def right_branching(words: Sequence[str]) -> Tree:
    """Return the tree in which each word is joined to all that follow it.

    Raises:
        TreeError: if there is no word, or there are more than :data:`MOST_WORDS`.
    """
    _check(words)
    builder = _Builder()
    *before, joined = [builder.leaf(word) for word in words]
    for leaf in reversed(before):
        joined = builder.join(leaf, joined)
    return builder.tree()


def parse(text: str) -> Tree:
    """Return the binary tree that a bracketed text represents.

    A tree has labels if every opening bracket is followed by a digit from 0 to 4 and then a word or a bracket, as in
    the Stanford Sentiment Treebank. In a tree without labels, brackets that contain more than two parts are binarised
    from the right.

    Args:
        text: a tree without labels, such as ``((a b) c)``, or with labels, such as ``(3 (2 a) (3 splash))``.

    Raises:
        TreeError: if brackets are unbalanced or empty, a labelled node has neither one word nor two children, text
            appears outside the brackets, or there are more than :data:`MOST_WORDS` words.

    Example:
        >>> from nlpviz.text.trees import parse
        >>> tree = parse("(3 (2 a) (3 splash))")
        >>> tree.words, tree.labels
        (('a', 'splash'), (2, 3, 3))
        >>> parse("(a b c)").nested()
        ('a', ('b', 'c'))
    """
    pieces = _PIECE.findall(text)
    _check([piece for piece in pieces if piece not in "()"], most=2 * MOST_WORDS)  # labels are among them
    labelled = all(_begins_with_label(pieces, place) for place, piece in enumerate(pieces) if piece == "(")
    builder, open_ones, whole = _Builder(), list[list[int | str]](), None
    for piece in pieces:
        if whole is not None:
            raise TreeError(f"The outer bracket closes before {piece[:20]!r}.")
        if piece == "(":
            open_ones.append([])
        elif not open_ones:
            raise TreeError(_outside(piece))
        elif piece != ")":
            is_label = labelled and not open_ones[-1]
            open_ones[-1].append(piece if is_label else builder.leaf(_READ.get(piece, piece)))
        else:
            joined = _join(builder, open_ones.pop(), labelled=labelled)
            if open_ones:
                open_ones[-1].append(joined)
            else:
                whole = joined
    if open_ones:
        raise TreeError(f"Unclosed brackets: {len(open_ones)}.")
    tree = builder.tree()
    _check(tree.words)
    if labelled and len(tree.labels) != len(tree):
        raise TreeError(f"{len(tree.labels)} of the {len(tree)} nodes have a label. Label all nodes or none.")
    return tree


def _outside(piece: str) -> str:
    if piece == ")":
        return "A closing bracket has no matching opening bracket."
    return f"{piece[:20]!r} is outside the brackets. Put one pair around the whole sentence."


def _begins_with_label(pieces: Sequence[str], place: int) -> bool:
    return place + 2 < len(pieces) and pieces[place + 1] in _DIGITS and pieces[place + 2] != ")"


def _join(builder: _Builder, parts: list[int | str], *, labelled: bool) -> int:
    """Join what stands in one pair of brackets, its label first where there are labels."""
    label = int(parts.pop(0)) if labelled else None
    names = [int(part) for part in parts]
    if not names:
        raise TreeError("One pair of brackets is empty.")
    if label is not None and (len(names) > 2 or (len(names) == 1 and names[0] in builder.labels)):
        raise TreeError("In a labelled tree, each pair of brackets must contain one word or two phrases.")
    joined = names.pop()
    while names:
        joined = builder.join(names.pop(), joined)
    if label is not None:
        builder.labels[joined] = label
    return joined


def _check(words: Sequence[str], most: int = MOST_WORDS) -> None:
    if not words:
        raise TreeError("This text contains no words.")
    if len(words) > most:
        raise TreeError(f"A tree can have at most {MOST_WORDS} words, not {len(words):,}.")


def written(tree: Tree) -> str:
    """Return ``tree`` in brackets, with its labels where it has any."""
    built: list[str] = []
    for node in range(len(tree)):
        pair = tree.below(node)
        if pair is None:
            inside = _WRITTEN.get(tree.words[node], tree.words[node])
        else:
            inside = f"{built[pair[0]]} {built[pair[1]]}"
        if tree.labels:
            built.append(f"({tree.labels[node]} {inside})")
        else:
            built.append(inside if pair is None else f"({inside})")
    return built[-1] if tree.children or tree.labels else f"({built[-1]})"


def read_tree(text: str, words: Callable[[str], Sequence[str]]) -> tuple[Tree, bool]:
    """Return the tree of a typed text, and whether it was bracketed: one that begins with a bracket is read by these.

    Args:
        text: as it was typed.
        words: returns the words of a text without brackets, as they are shown.

    Raises:
        TreeError: if the brackets are wrong, or there is no word, or too many.
    """
    if text.lstrip().startswith("("):
        return parse(text), True
    return right_branching(words(text)), False
