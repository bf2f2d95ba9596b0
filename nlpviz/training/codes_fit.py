"""The training loop of an autoencoder of documents: seeded, resumable, the penalty weighted epoch by epoch.

What may keep the codes of a variational autoencoder from collapsing is here, but for batch normalisation, which is a
part of the network: the KL divergence is weighted from zero to one over the first epochs (annealing, Bowman et al.
2016, *Generating Sentences from a Continuous Space*), or costs nothing up to some nats a unit (free bits, Kingma et al.
2016, *Improving Variational Inference with Inverse Autoregressive Flow*, equation 15).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from math import inf, nan
from pathlib import Path
from typing import NamedTuple, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from tqdm import tqdm

from nlpviz.networks.architectures.variational_autoencoder import VariationalAutoencoder
from nlpviz.networks.autoencoders import Autoencoder
from nlpviz.results.history import CodesEpoch
from nlpviz.training.averaging import WeightAverage
from nlpviz.training.codes_measures import active_units, codes_of, costs, mutual_information, posteriors
from nlpviz.training.loop import Learner, Training, fit_epochs
from nlpviz.training.schedule import rate_at

_SMALLEST = 2  # documents of a batch: batch normalisation asks for two
_SAMPLES = 3
"""Codes that are drawn of each validation document after an epoch: less than where a run is measured."""


@dataclass(frozen=True)
class CodesFit:
    """How an autoencoder of documents is fitted.

    Attributes:
        epochs: passes over the training documents.
        batch_size: documents a step.
        learning_rate: of AdamW (Loshchilov and Hutter 2019), at its highest.
        warmup: steps over which the rate grows to that.
        final_rate: the share of it that is left at the last step; it falls evenly.
        weight_decay: of AdamW.
        annealing: epochs over which the weight of the penalty grows from zero to one; 0 begins with one.
        free_bits: nats of each unit's mean KL divergence over a batch that cost nothing.
        seed: of initial weights, order, and all that is drawn.
    """

    epochs: int = 25
    batch_size: int = 128
    learning_rate: float = 3e-3
    warmup: int = 100
    final_rate: float = 0.05
    weight_decay: float = 0.0
    annealing: float = 0.0
    free_bits: float = 0.0
    seed: int = 0


class Bags(NamedTuple):
    """Documents to train on and to choose the epoch on, (N, W) each, with a word in each row."""

    train: NDArray[np.uint16]
    validation: NDArray[np.uint16]


def fit_autoencoder(module: Autoencoder, bags: Bags, settings: CodesFit, folder: Path) -> list[CodesEpoch]:
    """Train ``module`` in ``folder`` (:func:`nlpviz.training.loop.fit_epochs`), and return the epochs' records."""
    optimizer = torch.optim.AdamW(
        module.parameters(), lr=settings.learning_rate, weight_decay=settings.weight_decay, fused=True
    )
    learner = Learner(module, optimizer, WeightAverage(module, 0.0))  # what is kept are the weights themselves
    training = Training(
        record=CodesEpoch,
        settings=settings,
        examples=[len(some) for some in bags],
        train_epoch=partial(train_epoch, learner, bags.train, settings),
        validate=partial(_validate, bags),
        score=score,
        progress=_line,
        before={"penalty_weight": penalty_weight(0, 1, settings)},
    )
    return fit_epochs(training, learner, folder)


def train_epoch(
    learner: Learner, bags: NDArray[np.uint16], settings: CodesFit, epoch: int, _: np.random.Generator
) -> dict[str, float]:
    """Make one pass over the training documents; return the weight of the penalty at its end."""
    module, device = cast("Autoencoder", learner.model), next(learner.model.parameters()).device
    order = torch.randperm(len(bags)).numpy()
    parts = np.split(order, range(settings.batch_size, len(order), settings.batch_size))
    parts = [part for part in parts if len(part) >= _SMALLEST]
    for rows in tqdm(parts, unit="step", leave=False):
        step, total = learner.average.steps + 1, len(parts) * settings.epochs
        rate = rate_at(step, total, settings.learning_rate, settings.warmup, settings.final_rate)
        cost = module.cost(torch.from_numpy(bags[rows].astype(np.float32)).to(device))
        # For a variational autoencoder the negative ELBO; the weight of its KL term grows during annealing.
        weight = penalty_weight(step, len(parts), settings)
        loss = cost.reconstruction.mean() + weight * charged(cost.penalty, settings.free_bits)
        learner.step(loss, inf, rate)
    steps = -(-len(bags) // settings.batch_size)
    return {"penalty_weight": penalty_weight(epoch * steps, steps, settings)}


def penalty_weight(step: int, steps_an_epoch: int, settings: CodesFit) -> float:
    """Return the weight of the penalty at ``step``, from 1."""
    return min(step / (settings.annealing * steps_an_epoch), 1.0) if settings.annealing else 1.0


def charged(penalty: Tensor, free_bits: float = 0.0) -> Tensor:
    """Return the cost per document of a batch's penalties (B,) or (B, Z): per unit at least the free bits.

    Below them the cost is constant, so that nothing is gained by making a unit say less.
    """
    if penalty.dim() == 1:
        return penalty.mean()
    return penalty.mean(dim=0).clamp(min=free_bits).sum()


def _validate(bags: Bags, kept: nn.Module) -> dict[str, float]:
    """Return what the weights after an epoch reach."""
    module = cast("Autoencoder", kept)
    found = costs(module, bags.validation, _SAMPLES)
    on_train = costs(module, bags.train[:: max(len(bags.train) // len(bags.validation), 1)], 1)
    return {
        "train_reconstruction": on_train.facts["reconstruction"],
        "reconstruction": found.facts["reconstruction"],
        "divergence": found.facts.get("divergence", nan),
        "bound": found.per_word,
        "information": (
            mutual_information(posteriors(module, bags.validation))
            if isinstance(module, VariationalAutoencoder)
            else nan
        ),
        "active": active_units(codes_of(module, bags.validation)),
    }


def score(record: CodesEpoch) -> float:
    """Return what an epoch is chosen by: minus the bound, or else minus the reconstruction."""
    return -(record.reconstruction if np.isnan(record.bound) else record.bound)


def _line(record: CodesEpoch) -> str:
    """Return the progress line after an epoch."""
    bound = (
        ""
        if np.isnan(record.bound)
        else f", KL {record.divergence:.2f} per document, perplexity bound {np.exp(record.bound):.1f}"
    )
    return (
        f"epoch {record.epoch}: reconstruction {record.reconstruction:.3f} nats per word{bound}, "
        f"{record.active} active units; {record.seconds:.1f} s"
    )
