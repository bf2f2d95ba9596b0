"""Runs of tree networks: trees as their networks read them, the probabilities of all nodes, and what is stored of them.

``tree-accuracy.csv`` holds for each kept epoch how many nodes of the test trees are right: of each group of nodes, by
both measures, and by how many words they have.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, cast

import numpy as np

from nlpviz.results.trees import LengthAccuracy, NodeAnswers
from nlpviz.runs.files import write_text
from nlpviz.runs.run import Run, RunError
from nlpviz.text.treebank import spelt
from nlpviz.text.trees import Tree
from nlpviz.text.vocabulary import Vocabulary

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from torch import nn

    from nlpviz.networks.architectures import TreeComposer
    from nlpviz.networks.tree_networks import PlantedTree

KIND = "tree-classifier"
ACCURACIES = "tree-accuracy.csv"
LENGTHS = ((1, 1), (2, 2), (3, 4), (5, 7), (8, 12), (13, 20), (21, 1_000))
"""Into how many words the nodes are parted by their lengths: from, to."""
_AT_ONCE = 100  # trees that are composed together


@dataclass(frozen=True)
class TrainedTrees:
    """One epoch of a tree network, loaded: in evaluation mode, frozen, safe to share between threads."""

    run: Run
    epoch: int
    module: TreeComposer
    vocabulary: Vocabulary

    def answer(self, tree: Tree) -> NodeAnswers:
        """Return the probabilities of every node of ``tree``."""
        return self.answer_all([tree])[0]

    def answer_all(self, trees: Sequence[Tree]) -> list[NodeAnswers]:
        """Return the probabilities of every node of each of ``trees``, composed together."""
        found = node_probabilities(self.module, [plant(tree, self.vocabulary) for tree in trees])
        parts = np.split(found, np.cumsum([len(tree) for tree in trees])[:-1])
        return [
            NodeAnswers(
                self.run.name,
                self.run.title,
                self.epoch,
                tree,
                part,
                tuple(spelt(word) in self.vocabulary for word in tree.words),
            )
            for tree, part in zip(trees, parts, strict=True)
        ]


def load_trees(run: Run, epoch: int | None = None) -> TrainedTrees:
    """Return an epoch of a tree network, by default the best one.

    Raises:
        RunError: if the run is of another kind or damaged, or keeps no such epoch.
    """
    from nlpviz.networks.architectures import TreeComposer

    if run.kind != KIND:
        raise RunError(f"The run {run.name!r} is a {run.kind}, not a tree network.")
    trained = run.load(epoch)
    if not isinstance(trained.module, TreeComposer):
        raise RunError(f"The architecture {run.architecture!r} of the run {run.name!r} is not a tree network.")
    return TrainedTrees(run, trained.epoch, trained.module, trained.vocabulary)


def plant(tree: Tree, vocabulary: Vocabulary) -> PlantedTree:
    """Return a tree as a network reads it: its words by their ids."""
    from nlpviz.networks.tree_networks import PlantedTree

    ids = vocabulary.ids(map(spelt, tree.words))
    return PlantedTree(ids, np.array(tree.children, dtype=np.int64).reshape(-1, 2), tree.heights)


def node_probabilities(model: TreeComposer, planted: Sequence[PlantedTree]) -> NDArray[np.float32]:
    """Return the probabilities (N, K) of the nodes of trees, one tree after the other."""
    import torch

    from nlpviz.networks.tree_networks import forest

    device, found = next(cast("nn.Module", model).parameters()).device, []
    with torch.inference_mode():
        for start in range(0, len(planted), _AT_ONCE):
            grown = forest(planted[start : start + _AT_ONCE], device)
            logits = model.classify(model.states(grown))[grown.places]
            found.append(logits.softmax(dim=1).cpu().numpy())
    return np.concatenate(found)


def write_accuracies(folder: Path, rows: Iterable[LengthAccuracy]) -> None:
    """Write the accuracies into a run's folder."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(LengthAccuracy._fields)
    writer.writerows(rows)
    write_text(folder / ACCURACIES, text.getvalue())


def best_accuracies(run: Run, group: str, measure: str) -> list[LengthAccuracy]:
    """Return those of the best epoch for one group of nodes by one measure, the shortest phrases first.

    Raises:
        RunError: if the file is missing or damaged.
    """
    rows = read_accuracies(run)
    return [row for row in rows if (row.epoch, row.group, row.measure) == (run.best_epoch, group, measure)]


def read_accuracies(run: Run) -> tuple[LengthAccuracy, ...]:
    """Return the accuracies on the test trees.

    Raises:
        RunError: if the file is missing or damaged.
    """
    words = ("group", "measure")
    try:
        with run.file(ACCURACIES).open(encoding="utf-8", newline="") as stream:
            rows = [
                LengthAccuracy(**{name: cell if name in words else int(cell) for name, cell in row.items()})  # type: ignore[arg-type]
                for row in csv.DictReader(stream)
            ]
    except (TypeError, ValueError):
        raise RunError(f"{ACCURACIES} of the run {run.name!r} has a missing column or an invalid number.") from None
    return tuple(rows)
