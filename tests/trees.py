"""Trees for tests: a planted rule over a handful of words, and networks that compose them."""

from __future__ import annotations

import numpy as np
import torch

from nlpviz.networks.architectures import Architecture, TreeComposer, architectures, untrained_instance
from nlpviz.networks.tree_networks import PlantedTree
from nlpviz.results.trees import NEUTRAL
from nlpviz.text.trees import Nested, Tree, of_nested
from nlpviz.training.tree_fit import Trees

WORDS = ("<pad>", "<unk>", "fine", "poor", "not", "film", "scene", "the")
SIDES = {"fine": 1, "poor": -1}


def composers() -> list[Architecture]:
    """Return every architecture that composes trees."""
    found = architectures().values()
    return [one for one in found if isinstance(untrained_instance(one.name, {}), TreeComposer)]


def composer(architecture: Architecture, seed: int = 0, **config: object) -> torch.nn.Module:
    """Return an untrained network of a small size over the words of this module, in evaluation mode."""
    torch.manual_seed(seed)
    sizes: dict[str, object] = {"vocabulary_size": len(WORDS), "dimensions": 8, "tuned": 8, "units": 12, **config}
    return architecture.build(architecture.config(**sizes)).eval()


def drawn(random: np.random.Generator, words: int) -> Tree:
    """Return a tree of any shape over ``words`` random words, labelled by the rule.

    A phrase has the side of the last word of praise or blame in it; "not" on its left turns it round.
    """
    nested = _shape(random, words)
    tree = of_nested(nested)
    sides: list[int] = [SIDES.get(word, 0) for word in tree.words]
    for left, right in tree.children:
        negated = left < len(tree.words) and tree.words[left] == "not"
        sides.append(-sides[right] if negated else (sides[right] or sides[left]))
    return Tree(tree.words, tree.children, tuple(NEUTRAL + side for side in sides))


def _shape(random: np.random.Generator, words: int) -> Nested:
    if words == 1:
        return str(random.choice(WORDS[2:]))
    left = int(random.integers(1, words))
    return _shape(random, left), _shape(random, words - left)


def planted(tree: Tree) -> PlantedTree:
    """Return a tree as networks take it."""
    ids = np.array([WORDS.index(word) for word in tree.words], dtype=np.int64)
    return PlantedTree(ids, np.array(tree.children, dtype=np.int64).reshape(-1, 2), tree.heights)


def several(count: int, seed: int = 0, longest: int = 7) -> list[Tree]:
    """Return ``count`` trees of one word and more."""
    random = np.random.default_rng(seed)
    return [drawn(random, int(random.integers(1, longest + 1))) for _ in range(count)]


def labelled(trees: list[Tree]) -> Trees:
    """Return trees as a training takes them."""
    return Trees([planted(tree) for tree in trees], [np.array(tree.labels, dtype=np.int64) for tree in trees])
