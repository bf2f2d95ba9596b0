"""Networks that compose the words of a sentence along its tree: what several architectures have in common.

A node's state is made of its two children's. Many trees are composed together, a forest: all nodes of one height, of
whichever tree, in one product. Every node is classified by the same layer (Socher et al. 2013, section 4).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from nlpviz.networks.layers import Dropout, ParameterCount, ParameterTerm, word_vectors
from nlpviz.text.vocabulary import PAD


class SameHeight(NamedTuple):
    """The nodes of one height: where their children are among the nodes below, (n,) each."""

    left: Tensor
    right: Tensor


class PlantedTree(NamedTuple):
    """A tree as a forest takes it.

    Attributes:
        ids: of the words, int64 (n,).
        children: of each inner node, int64 (n - 1, 2); a child before its parent.
        heights: of each node, int64 (2n - 1,).
    """

    ids: NDArray[np.int64]
    children: NDArray[np.int64]
    heights: NDArray[np.int64]


class Forest(NamedTuple):
    """Trees whose nodes are numbered by height: all leaves, tree by tree, then all nodes of height 1, and so on.

    Attributes:
        ids: of the leaves' words, int64 (L,).
        levels: the nodes of height 1, of height 2, and so on.
        places: the number of each node of each tree, the trees one after the other; int64 (N,).
        spans: the leaves ``first:end`` of each numbered node, int64 (N, 2).
        roots: the numbers of the trees' roots, int64 (B,).
    """

    ids: Tensor
    levels: tuple[SameHeight, ...]
    places: Tensor
    spans: Tensor
    roots: Tensor

    @property
    def lengths(self) -> Tensor:
        """How many words each numbered node has, (N,)."""
        return self.spans[:, 1] - self.spans[:, 0]


def forest(trees: Sequence[PlantedTree], device: torch.device | None = None) -> Forest:
    """Return trees as one forest; each has a word at least."""
    sizes = np.array([len(tree.heights) for tree in trees])
    words = np.array([len(tree.ids) for tree in trees])
    before = np.cumsum(sizes) - sizes
    heights = np.concatenate([tree.heights for tree in trees])
    order = np.argsort(heights, kind="stable")
    places = np.empty_like(order)
    places[order] = np.arange(len(order))
    leaves = int(words.sum())
    inner = np.flatnonzero(heights > 0)
    children = np.concatenate([tree.children + start for tree, start in zip(trees, before, strict=True)])
    pairs = np.zeros((len(order), 2), dtype=np.int64)
    pairs[places[inner]] = places[
        children
    ]  # the inner nodes of a tree stand after its leaves, in the order of children
    spans = np.zeros((len(order), 2), dtype=np.int64)
    spans[:leaves] = np.arange(leaves)[:, None] + [0, 1]
    ends = np.cumsum(np.bincount(heights))
    levels = []
    for first, end in pairwise(ends.tolist()):
        left, right = pairs[first:end].T
        spans[first:end] = np.stack([spans[left, 0], spans[right, 1]], axis=1)
        levels.append(SameHeight(*(torch.from_numpy(side.copy()).to(device) for side in (left, right))))
    numbers = np.concatenate([tree.ids for tree in trees]), places, spans, places[before + sizes - 1]
    ids, *rest = (torch.from_numpy(array).to(device) for array in numbers)
    return Forest(ids, tuple(levels), *rest)


def right_branching_forest(ids: Tensor) -> Forest:
    """Return a forest of right-branching trees over rows of ids (B, T) without padding; a row without a word has one.

    A tree of such a row is the padding alone.
    """
    rows = [row[row != PAD].cpu().numpy() for row in ids]
    return forest([_right_branching(row if len(row) else np.array([PAD])) for row in rows], ids.device)


def _right_branching(ids: NDArray[np.int64]) -> PlantedTree:
    count = len(ids)
    inner = np.arange(count - 1)
    left, right = count - 2 - inner, np.where(inner == 0, count - 1, count + inner - 1)
    heights = np.concatenate([np.zeros(count, dtype=np.int64), inner + 1])
    return PlantedTree(ids, np.stack([left, right], axis=1), heights)


@dataclass(frozen=True)
class TreeConfig:
    """The settings that every :class:`TreeNetwork` has; what derives from it adds its own.

    Attributes:
        vocabulary_size: ids, those of padding and of the unknown word among them.
        dimensions: of a word's vector.
        static: whether these stay as they were initialised.
        tuned: numbers beside the vector that are trained for each of the commonest words; 0 for none.
        tuned_words: how many ids have them; the other words share those of the unknown word.
        units: of a node's state.
        input_dropout: on the words' vectors.
        dropout: on the state that is classified.
        classes: of a node.
    """

    vocabulary_size: int
    dimensions: int = 100
    static: bool = True
    tuned: int = 25
    tuned_words: int = 8_000
    units: int = 50
    input_dropout: float = 0.0
    dropout: float = 0.5
    classes: int = 5


class TreeNetwork(nn.Module):
    """Words' vectors, a state for each node, and a layer that classifies every node.

    A subclass makes its layers after these, says how states are made (:meth:`leaf` and :meth:`join`, or
    :meth:`states`), and names its equations.

    Attributes:
        formula: the equations in TeX, a line each.
        counted_as: what the parameters of the composition are called.
    """

    config: Any
    formula: tuple[str, ...] = ()
    counted_as = "composition"

    def __init__(self, config: TreeConfig) -> None:
        """Make the words' vectors and the last layer."""
        super().__init__()
        self.config = config
        self.embedding = word_vectors(config.vocabulary_size, config.dimensions, static=config.static)
        self.tuned_words = min(config.tuned_words, config.vocabulary_size)
        self.tuned = nn.Embedding(self.tuned_words, config.tuned, padding_idx=PAD) if config.tuned else None
        if self.tuned is not None:
            nn.init.uniform_(self.tuned.weight, -0.05, 0.05)
        self.input_dropout, self.dropout = Dropout(config.input_dropout), Dropout(config.dropout)
        self.output = nn.Linear(config.units, config.classes)

    @property
    def width(self) -> int:
        """The length of what a leaf is made of: the word's vector, and what is trained beside it."""
        return int(self.config.dimensions + self.config.tuned)

    def forward(self, trees: Forest) -> Tensor:
        """Return logits (N, K) of the nodes of a forest, by their numbers."""
        return self.classify(self.states(trees))

    def read(self, ids: Tensor) -> Tensor:
        """Return what the leaves are made of, (L, width)."""
        parts = [self.embedding(ids)]
        if self.tuned is not None:
            parts.append(self.tuned(torch.where(ids < self.tuned_words, ids, 1)))
        return cast("Tensor", self.input_dropout(torch.cat(parts, dim=1)))

    def states(self, trees: Forest) -> Tensor:
        """Return the state (N, S) of every node, by its number: a level at a time, each in one product."""
        states = self.leaf(self.read(trees.ids))
        for level in trees.levels:
            joined = self.join(states.index_select(0, level.left), states.index_select(0, level.right))
            states = torch.cat([states, joined])
        return states

    def leaf(self, words: Tensor) -> Tensor:
        """Return the states (L, S) of leaves, of what :meth:`read` returned."""
        raise NotImplementedError

    def join(self, left: Tensor, right: Tensor) -> Tensor:
        """Return the states (n, S) of nodes whose children's are ``left`` and ``right`` (n, S)."""
        raise NotImplementedError

    def classify(self, states: Tensor) -> Tensor:
        """Return logits (N, K) of states (N, S), whose first ``units`` numbers are classified."""
        return cast("Tensor", self.output(self.dropout(states[:, : self.config.units])))

    def penalty(self, trees: Forest, states: Tensor) -> Tensor | None:  # noqa: ARG002
        """Return what each inner node adds to the loss in training besides its label's, (N - L,); None for nothing."""
        return None

    def parameter_terms(self) -> tuple[ParameterTerm, ...]:
        """Return the terms that the number of trainable parameters is the sum of."""
        terms = []
        if not self.config.static:
            rows, width = self.embedding.weight.shape
            terms.append(ParameterTerm("word vectors", f"{rows:,} × {width}", rows * width))
        if self.tuned is not None:
            rows, width = self.tuned.weight.shape
            terms.append(ParameterTerm("trained word features", f"{rows:,} × {width}", rows * width))
        terms.append(ParameterTerm(self.counted_as, *self.term()))
        size, classes = self.config.units, self.config.classes
        return (*terms, ParameterTerm("output layer", f"{size} × {classes} + {classes}", (size + 1) * classes))

    def term(self) -> ParameterCount:
        """Return the number of the composition's parameters, and its formula."""
        raise NotImplementedError


def layer_term(*layers: nn.Linear) -> ParameterCount:
    """Return the number of parameters of linear layers, and its formula."""
    shapes = [(layer.in_features, layer.out_features, layer.bias is not None) for layer in layers]
    formula = " + ".join(f"{rows} × {width}" + (f" + {width}" if bias else "") for rows, width, bias in shapes)
    return ParameterCount(formula, sum((rows + bias) * width for rows, width, bias in shapes))


@torch.no_grad()
def start_at_the_mean(pair: nn.Linear) -> None:
    """Let a layer over two children's vectors begin near their mean: half of each, and a little noise."""
    units = pair.out_features
    nn.init.uniform_(pair.weight, -0.01, 0.01)
    nn.init.zeros_(pair.bias)
    pair.weight.add_(torch.eye(units).repeat(1, 2) / 2)
