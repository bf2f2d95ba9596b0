"""The training loop of a tree network: every node has a label, and a batch of trees is one forest."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter
from typing import NamedTuple, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from tqdm import tqdm

from nlpviz.networks.tree_networks import Forest, PlantedTree, TreeNetwork, forest
from nlpviz.results.trees import BINARY, FINE, NON_NEUTRAL, ROOTS, LabelledNodes, TreeEpoch, accuracies
from nlpviz.runs.trees import node_probabilities
from nlpviz.runs.weights import weights_file
from nlpviz.training.averaging import WeightAverage
from nlpviz.training.bounds import another_epoch
from nlpviz.training.state import TrainingState

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


def best_epoch(records: Sequence[TreeEpoch]) -> int:
    """Return the epoch with the highest :func:`score`, the earlier one of equal ones."""
    return max(records, key=lambda record: (score(record), -record.epoch)).epoch


def fit_trees(model: TreeNetwork, splits: tuple[Trees, Trees], settings: TreeFit, folder: Path) -> list[TreeEpoch]:
    """Train ``model``, write the weights of every epoch into ``folder``, and return the epochs' records.

    A training that was stopped goes on from its last finished epoch. Epoch 0, before training, is measured as well.

    Args:
        model: on its device.
        splits: to train on, and to choose the epoch by.
        settings: of the loop.
        folder: of the run.

    Raises:
        OutOfTimeError: before an epoch that would pass the time, unless the training concludes.
    """
    train, validation = splits
    state = TrainingState(folder, json.dumps([asdict(settings), str(model.config), len(train.labels)]))
    optimizer = _optimizer(model, settings)
    average = WeightAverage(model, settings.averaging)
    records = state.restore(TreeEpoch, model, optimizer, average)
    lasted = records[-1].seconds if records else 0.0
    while (not records or records[-1].epoch - best_epoch(records) < settings.patience) and another_epoch(
        len(records), settings.epochs, lasted
    ):
        epoch, started, norm = len(records), perf_counter(), 0.0
        if epoch:
            norm = _train_epoch(model, optimizer, average, (train, settings, epoch))
        seconds = perf_counter() - started
        kept = cast("TreeNetwork", average.module.eval())
        on_train, on_validation = (_reached(kept, trees) for trees in (train.first(len(validation.labels)), validation))
        records.append(TreeEpoch(epoch, on_train[0], on_validation[0], on_train[1], *on_validation[1:], norm, seconds))
        state.keep(kept, folder / weights_file(epoch))
        state.save(model, optimizer, average, records)
        tqdm.write(_line(records[-1]))
        lasted = max(perf_counter() - started, lasted)
    return records


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
    model: TreeNetwork,
    optimizer: torch.optim.Optimizer,
    average: WeightAverage,
    epoch: tuple[Trees, TreeFit, int],
) -> float:
    """Make one pass over the training trees; return the mean gradient norm.

    Order and dropout are seeded by the epoch, so that a resumed training repeats an uninterrupted one.
    """
    train, settings, number = epoch
    model.train()
    torch.manual_seed(settings.seed * 10_000 + number)
    order = np.random.default_rng([settings.seed, number]).permutation(len(train.labels))
    norms = []
    for grown, labels in tqdm(_batches(train, order, settings.batch_size, _device(model)), unit="batch", leave=False):
        optimizer.zero_grad()
        states = model.states(grown)
        loss = nn.functional.cross_entropy(model.classify(states), labels, reduction="sum")
        if (added := model.penalty(grown, states)) is not None:
            loss = loss + added.sum()
        torch.autograd.backward(loss / len(grown.roots))
        norms.append(nn.utils.clip_grad_norm_(model.parameters(), settings.clip))
        optimizer.step()
        average.update()
    return float(torch.stack(norms).mean())


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


def _reached(model: TreeNetwork, trees: Trees) -> tuple[float, float, float, float]:
    """Return loss, accuracy at roots among five classes and of two, and that of two at all non-neutral nodes."""
    probabilities, nodes = node_probabilities(model, trees.planted), trees.nodes
    found = accuracies(probabilities, nodes)
    shares = (found[ROOTS, FINE], found[ROOTS, BINARY], found[NON_NEUTRAL, BINARY])
    loss = mean_loss(probabilities, nodes.labels)
    return (loss, *(one.share for one in shares))  # type: ignore[return-value]


def _device(model: nn.Module) -> torch.device:
    return next(model.parameters()).device


def _line(record: TreeEpoch) -> str:
    """Return the progress line after an epoch."""
    return (
        f"epoch {record.epoch}: train {record.train_loss:.3f} nats per node, roots {record.train_fine:.2%}; validation "
        f"{record.validation_loss:.3f}, roots {record.validation_fine:.2%} of five classes, "
        f"{record.validation_binary:.2%} of two; {record.seconds:.1f} s"
    )
