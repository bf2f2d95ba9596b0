"""How fast are trees composed, all nodes of one height at once, beside a recursion node by node?

The network of ``sst-tree-lstm``, untrained, composes 100 random trees with 5 to 35 words, about as long as the
treebank's sentences, on one thread. The peer has the same weights, and its answers are the same to 1e-5, or the
benchmark fails. The bar is the peer's own time.
"""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median

import numpy as np
import torch

from benchmarks import SEED, Benchmark, Row
from benchmarks.clock import alternate, in_ms
from benchmarks.peers.plain_trees import Nested, PlainTreeLSTM
from nlpviz.networks.architectures.binary_tree_lstm import BinaryTreeLSTM, BinaryTreeLSTMConfig
from nlpviz.networks.tree_networks import PlantedTree, forest
from nlpviz.text.trees import Tree, of_nested

TREES, SHORTEST, LONGEST, WORDS, ROUNDS = 100, 5, 35, 20_000, 7


def measure() -> Iterator[Row]:
    """Yield the milliseconds of a forest, from trees to logits."""
    torch.manual_seed(SEED)
    model = BinaryTreeLSTM(BinaryTreeLSTMConfig(WORDS)).eval()
    random = np.random.default_rng(SEED)
    nested = [_drawn(random, int(random.integers(SHORTEST, LONGEST + 1))) for _ in range(TREES)]
    planted = [_planted(tree) for tree in nested]
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        with torch.inference_mode():
            plain = PlainTreeLSTM(model.read(torch.arange(WORDS)), model.word, model.pair, model.output)
            _compare(model, plain, nested)
            mine, theirs = alternate(ROUNDS, lambda: model(forest(planted)), lambda: [plain(tree) for tree in nested])
    finally:
        torch.set_num_threads(threads)
    what = f"binary Tree-LSTM over {TREES} trees of {SHORTEST} to {LONGEST} words"
    peer = in_ms(theirs)
    yield Row(what, "ms", in_ms(mine), "the same weights, node by node", peer, bar=median(peer))


def _drawn(random: np.random.Generator, words: int) -> Nested:
    if words == 1:
        return int(random.integers(2, WORDS))
    left = int(random.integers(1, words))
    return _drawn(random, left), _drawn(random, words - left)


def _tree(nested: Nested) -> Tree:
    return of_nested(_spelt(nested))  # type: ignore[arg-type]


def _spelt(nested: Nested) -> object:
    return str(nested) if isinstance(nested, int) else (_spelt(nested[0]), _spelt(nested[1]))


def _planted(nested: Nested) -> PlantedTree:
    tree = _tree(nested)
    ids = np.array([int(word) for word in tree.words], dtype=np.int64)
    return PlantedTree(ids, np.array(tree.children, dtype=np.int64).reshape(-1, 2), tree.heights)


def _compare(model: BinaryTreeLSTM, plain: PlainTreeLSTM, nested: list[Nested]) -> None:
    """Refuse to time what does not answer alike; the peer lists nodes as it leaves them, so the roots are compared."""
    grown = forest([_planted(tree) for tree in nested])
    ours, theirs = model(grown)[grown.roots], torch.stack([plain(tree)[-1] for tree in nested])
    if (ours - theirs).abs().max() > 1e-5:
        raise RuntimeError("the two outputs differ")


BENCHMARK = Benchmark(
    "trees", "How fast are trees composed, compared with node-by-node recursion?", measure, "training"
)
