"""The pages' only way to tree networks: what they make of a tree, computed once for all visitors."""

from __future__ import annotations

from nlpviz.data import DataError, corpus_named
from nlpviz.results.trees import NodeAnswers
from nlpviz.runs import Checkpoint
from nlpviz.runs.trees import TrainedTrees, load_trees
from nlpviz.text.trees import Tree, parse, written
from nlpviz.ui import cache, limits
from nlpviz.ui.calls import Call


@cache.shared(limits.entries(12), "Loading the network…")
def _network(checkpoint: Checkpoint) -> Call[TrainedTrees]:
    return Call(load_trees, checkpoint.run, checkpoint.epoch)


@cache.shared(256)
def answers(checkpoint: Checkpoint, tree: Tree) -> Call[NodeAnswers]:
    """Return the classes of every node of ``tree`` by an epoch of a network."""
    return Call(TrainedTrees.answer, _network(checkpoint), Call(parse, written(tree)).giving(tree))


def corpus_tree(corpus: str, name: str) -> Tree | None:
    """Return a tree of a corpus with its labels, such as ``"test/17"``; None where it is unavailable."""
    try:
        return parse(cache.document_text(corpus, name))
    except DataError:
        return None


@cache.shared(4)
def test_size(corpus: str) -> int:
    """Return how many trees the test split of a corpus has; 0 where the corpus is not on this machine."""
    try:
        return len(corpus_named(corpus).read(corpus_named(corpus).held_out[1]))
    except DataError:
        return 0
