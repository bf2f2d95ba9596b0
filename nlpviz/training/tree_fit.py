"""The training loop of a tree network: every node has a label, and a batch of trees is one forest."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from tqdm import tqdm

from nlpviz.networks.tree_networks import Forest, PlantedTree, TreeNetwork, forest
from nlpviz.results.trees import BINARY, FINE, NON_NEUTRAL, ROOTS, LabelledNodes, TreeEpoch, accuracies
from nlpviz.runs.trees import node_probabilities
from nlpviz.training.averaging import WeightAverage
from nlpviz.training.loop import Learner, Training, fit_epochs

OPTIMIZERS: Mapping[str, Callable[..., torch.optim.Optimizer]] = {
    "adagrad": torch.optim.Adagrad,
    "adam": torch.optim.AdamW,  # its weight decay is no part of the gradient
}


@dataclass(frozen=True)
class TreeFit:
    """How a tree network is trained.

    Attributes:
        epochs: at most.
        patience: epochs without a better one after which it stops.
        batch_size: trees a step.
        optimizer: a name in :data:`OPTIMIZERS`.
        learning_rate: its step size.
        decay: weight decay of the composition and the output layer; words' vectors have none.
        clip: the gradient's norm at most.
        averaging: decay of the average of the weights; 0 for none.
        seed: of the initial weights, the order of the trees and dropout.
        starts_from: the run whose word vectors it begins with; empty for random ones.
    """

    epochs: int = 20
    patience: int = 6
    batch_size: int = 25
    optimizer: str = "adagrad"
    learning_rate: float = 0.05
    decay: float = 1e-4
    clip: float = 10.0
    averaging: float = 0.99
    seed: int = 0
    starts_from: str = ""


class Trees(NamedTuple):
    """LabelledNodes trees as numbers: what is composed, and the labels of each tree's nodes."""

    planted: list[PlantedTree]
    labels: list[NDArray[np.int64]]

    def first(self, count: int) -> Trees:
        """Return the first ``count`` trees."""
        return Trees(self.planted[:count], self.labels[:count])

    @property
    def nodes(self) -> LabelledNodes:
        """The labelled nodes, the trees one after the other."""
        return LabelledNodes(
            np.concatenate(self.labels),
            np.concatenate([lengths_of(tree) for tree in self.planted]),
            np.concatenate([np.arange(len(labels)) == len(labels) - 1 for labels in self.labels]),
        )


def lengths_of(tree: PlantedTree) -> NDArray[np.int64]:
    """Return how many words each node of a tree has."""
    lengths = [1] * len(tree.ids)
    for left, right in tree.children.tolist():
        lengths.append(lengths[left] + lengths[right])
    return np.array(lengths)


def score(record: TreeEpoch) -> float:
    """Return what an epoch is chosen by: the mean of the two accuracies at the validation roots."""
    return (record.validation_fine + record.validation_binary) / 2


def fit_trees(model: TreeNetwork, splits: tuple[Trees, Trees], settings: TreeFit, folder: Path) -> list[TreeEpoch]:
    """Train ``model`` in ``folder`` (:func:`nlpviz.training.loop.fit_epochs`), and return the epochs' records.

    Args:
        model: on its device.
        splits: to train on, and to choose the epoch by.
        settings: of the loop.
        folder: of the run.
    """
    train, validation = splits
    learner = Learner(model, _optimizer(model, settings), WeightAverage(model, settings.averaging))
    training = Training(
        record=TreeEpoch,
        settings=settings,
        examples=(len(train.labels),),
        train_epoch=partial(_train_epoch, learner, train, settings),
        validate=partial(_validate, train.first(len(validation.labels)), validation),
        score=score,
        progress=_line,
        patience=settings.patience,
    )
    return fit_epochs(training, learner, folder)


def _optimizer(model: TreeNetwork, settings: TreeFit) -> torch.optim.Optimizer:
    words = {"embedding.weight", "tuned.weight"}
    trained = [(name, weight) for name, weight in model.named_parameters() if weight.requires_grad]
    groups = [
        {"params": [weight for name, weight in trained if (name in words) == of_words], "weight_decay": decay}
        for of_words, decay in ((False, settings.decay), (True, 0.0))
    ]
    made = OPTIMIZERS[settings.optimizer]
    return made([group for group in groups if group["params"]], lr=settings.learning_rate)


def _train_epoch(
    learner: Learner, train: Trees, settings: TreeFit, _: int, rng: np.random.Generator
) -> dict[str, float]:
    """Make one pass over the training trees; return the mean gradient norm."""
    model, order = cast("TreeNetwork", learner.model), rng.permutation(len(train.labels))
    norms = []
    for grown, labels in tqdm(_batches(train, order, settings.batch_size, _device(model)), unit="batch", leave=False):
        states = model.states(grown)
        loss = nn.functional.cross_entropy(model.classify(states), labels, reduction="sum")
        if (added := model.penalty(grown, states)) is not None:
            loss = loss + added.sum()
        norms.append(learner.step(loss / len(grown.roots), settings.clip))
    return {"gradient_norm": float(torch.stack(norms).mean())}


def _batches(
    trees: Trees, order: NDArray[np.int64], size: int, device: torch.device
) -> Iterator[tuple[Forest, Tensor]]:
    """Yield forests of ``size`` trees at most, with the labels of their numbered nodes."""
    for start in range(0, len(order), size):
        chosen = order[start : start + size]
        grown = forest([trees.planted[place] for place in chosen], device)
        labels = torch.from_numpy(np.concatenate([trees.labels[place] for place in chosen])).to(device)
        yield grown, torch.empty_like(labels).index_copy_(0, grown.places, labels)


def mean_loss(probabilities: NDArray[np.float32], labels: NDArray[np.integer]) -> float:
    """Return -log p of the labels, in nats per node."""
    return float(_losses(probabilities, labels).mean())


def node_losses(model: TreeNetwork, trees: Trees) -> NDArray[np.float64]:
    """Return -log p of the label of each node (N,), in nats."""
    return _losses(node_probabilities(model.eval(), trees.planted), trees.nodes.labels)


def _losses(probabilities: NDArray[np.float32], labels: NDArray[np.integer]) -> NDArray[np.float64]:
    of_labels = probabilities[np.arange(len(labels)), labels].astype(np.float64)
    lost: NDArray[np.float64] = -np.log(np.maximum(of_labels, 1e-12))
    return lost


def _validate(train: Trees, validation: Trees, kept: nn.Module) -> dict[str, float]:
    """Return the losses, and the accuracies at roots among five classes and of two, and of two at non-neutral nodes."""
    model, measured = cast("TreeNetwork", kept), {}
    for name, trees in (("train", train), ("validation", validation)):
        probabilities, nodes = node_probabilities(model, trees.planted), trees.nodes
        found = accuracies(probabilities, nodes)
        measured[f"{name}_loss"] = mean_loss(probabilities, nodes.labels)
        measured[f"{name}_fine"] = found[ROOTS, FINE].share
    binary = {"validation_binary": found[ROOTS, BINARY].share, "validation_nodes": found[NON_NEUTRAL, BINARY].share}
    return measured | binary


def _device(model: nn.Module) -> torch.device:
    return next(model.parameters()).device


def _line(record: TreeEpoch) -> str:
    """Return the progress line after an epoch."""
    return (
        f"epoch {record.epoch}: train {record.train_loss:.3f} nats per node, roots {record.train_fine:.2%}; validation "
        f"{record.validation_loss:.3f}, roots {record.validation_fine:.2%} of five classes, "
        f"{record.validation_binary:.2%} of two; {record.seconds:.1f} s"
    )
