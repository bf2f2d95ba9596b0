"""The training loop of a classifier: seeded, resumable, the same on a CPU, a GPU or several processes.

Under an existing launcher (``torchrun``, ``accelerate launch``) every process runs this same code: each takes
its share of every batch, gradients are averaged, and the result is that of one process with whole batches.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import cast

import numpy as np
import torch
from accelerate import Accelerator
from torch import Tensor, nn

from nlpviz.results.history import EpochRecord
from nlpviz.training.adversarial import TrainingLosses
from nlpviz.training.averaging import WeightAverage
from nlpviz.training.batches import Labelled
from nlpviz.training.devices import set_precision
from nlpviz.training.log import MomentLog, marks
from nlpviz.training.loop import Learner, Training, fit_epochs
from nlpviz.training.measures import measure, shares


@dataclass(frozen=True)
class FitSettings:
    """How a classifier is fitted.

    Attributes:
        epochs: at most so many passes over the training texts.
        patience: stop so many epochs after the best one on the validation texts.
        batch_size: texts a step, over all processes.
        learning_rate: of AdamW (Loshchilov and Hutter 2019).
        embedding_rate: learning rate of the word vectors; low where they were trained before, for at the full rate
            the few labels overwrite what many texts taught. None takes ``learning_rate``.
        weight_decay: of AdamW.
        averaging: decay of the exponential moving average of the weights, which is what is measured and
            kept (Polyak and Juditsky 1992); 0 keeps the last step's weights.
        clip: the largest norm of a step's gradient: a larger one is scaled down to it (Pascanu, Mikolov and Bengio
            2013); 0 leaves all as they are.
        seed: of initial weights, order, dropout.
        starts_from: the run whose word vectors the model begins with, or empty: a stopped training that began with
            others is another one.
        precision: of matrix products in single precision, as torch names it: ``"high"`` lets a GPU use TensorFloat-32.
        gaps: whether words are left out of the texts that are trained on, of each text a share drawn anew in every
            epoch, uniformly between none and all (Madsen, Reddy and Chandar 2024, who mask words in half of the texts):
            a network that is to judge explanations by removing words has seen such texts.
        adversarial: the L2 norm of the perturbation of all word vectors of a text along the gradient of the loss, in
            standard deviations of the vectors; the loss of the perturbed text is added to that of the text (Miyato, Dai
            and Goodfellow 2017). 0 perturbs nothing.
        moments: how often an epoch the weights that would be kept are asked about every training and test text, for
            the log of the training; 0 keeps none. What is trained is the same.
    """

    epochs: int = 10
    patience: int = 2
    batch_size: int = 64
    learning_rate: float = 1e-3
    embedding_rate: float | None = None
    weight_decay: float = 0.0
    averaging: float = 0.0
    clip: float = 0.0
    seed: int = 0
    starts_from: str = ""
    precision: str = "highest"
    gaps: bool = False
    adversarial: float = 0.0
    moments: int = 1


def fit(
    model: nn.Module,
    train: Labelled,
    validation: Labelled,
    settings: FitSettings,
    folder: Path,
    accelerator: Accelerator,
    log: MomentLog | None = None,
) -> list[EpochRecord]:
    """Train ``model`` in ``folder`` (:func:`nlpviz.training.loop.fit_epochs`), and return the epochs' records.

    ``log`` takes the moments that ``settings`` ask for.
    """
    torch.manual_seed(settings.seed)
    set_precision(settings.precision)
    optimizer = optimizer_of(model, settings)
    bare = model.to(accelerator.device)
    losses, optimizer = accelerator.prepare(TrainingLosses(bare, train, settings.adversarial), optimizer)
    learner = Learner(bare, optimizer, WeightAverage(bare, settings.averaging))
    steps = _Steps(losses, learner, train, settings, accelerator, log)
    training = Training(
        record=EpochRecord,
        settings=settings,
        examples=[(len(split), sum(len(ids) for ids in split.ids)) for split in (train, validation)],
        train_epoch=steps.train_epoch,
        validate=partial(_validate, (train, validation), accelerator, log),
        score=score,
        progress=_line,
        patience=settings.patience,
        keep=log.keep if log else None,
        writes=accelerator.is_main_process,
        meet=accelerator.wait_for_everyone,
    )
    return fit_epochs(training, learner, folder)


def _validate(
    splits: tuple[Labelled, Labelled], accelerator: Accelerator, log: MomentLog | None, kept: nn.Module
) -> dict[str, float]:
    """Return loss and accuracy on the texts trained on, and on those held out."""
    train, validation = log.measured(kept) if log else [measure(kept, split, accelerator) for split in splits]
    return {
        "train_loss": train.loss,
        "train_accuracy": train.accuracy,
        "validation_loss": validation.loss,
        "validation_accuracy": validation.accuracy,
    }


def score(record: EpochRecord) -> tuple[float, float]:
    """Return what an epoch is chosen by: its validation accuracy, and of equals the loss."""
    return record.validation_accuracy, -record.validation_loss


def optimizer_of(model: nn.Module, settings: FitSettings) -> torch.optim.Optimizer:
    """Return AdamW over the parameters that are trained, the word vectors at their own rate."""
    trained = [(name, weight) for name, weight in model.named_parameters() if weight.requires_grad]
    vectors = [weight for name, weight in trained if name.startswith("embedding.")]
    others = [weight for name, weight in trained if not name.startswith("embedding.")]
    rate = settings.learning_rate
    groups = [{"params": others, "lr": rate}]
    if vectors:
        groups.append({"params": vectors, "lr": rate if settings.embedding_rate is None else settings.embedding_rate})
    return torch.optim.AdamW(groups, weight_decay=settings.weight_decay, fused=True)


@dataclass(frozen=True)
class _Steps:
    """What the steps of an epoch need; ``losses`` returns the loss of each text, and is in all processes the same."""

    losses: nn.Module
    learner: Learner
    train: Labelled
    settings: FitSettings
    accelerator: Accelerator
    log: MomentLog | None

    def train_epoch(self, epoch: int, rng: np.random.Generator) -> dict[str, float]:
        """Make one pass over the training texts; return the mean gradient norm, and the seconds without the log's."""
        started = perf_counter()
        torch.manual_seed(self.settings.seed * 10_000 + epoch * 100 + self.accelerator.process_index)
        self.losses.train()
        with _small_numbers_as_zero():
            norms = self._steps(self.train.with_gaps(rng) if self.settings.gaps else self.train, rng)
        norm = float(torch.stack(norms).mean()) if norms else 0.0
        return {"gradient_norm": norm, "seconds": perf_counter() - started - (self.log.seconds if self.log else 0)}

    def _steps(self, train: Labelled, rng: np.random.Generator) -> list[Tensor]:
        (_, optimizer, average), settings, accelerator = self.learner, self.settings, self.accelerator
        norms: list[Tensor] = []
        moments = Counter(marks(-(-len(train) // settings.batch_size), settings.moments) if self.log else ())
        for size, ids, labels, weights in shares(accelerator, train, settings.batch_size, rng):
            optimizer.zero_grad()
            # The processes' gradients are averaged: scaled so, they add up to the mean over the whole batch.
            loss = (self.losses(ids, labels) * weights).sum() * accelerator.num_processes / size
            accelerator.backward(loss)
            # The norm before clipping, for the history.
            norms.append(nn.utils.get_total_norm([p.grad for p in self.losses.parameters() if p.grad is not None]))
            if settings.clip:
                nn.utils.clip_grads_with_norm_(self.losses.parameters(), settings.clip, norms[-1])
            optimizer.step()
            average.update()
            for _ in range(moments[len(norms)]):  # several in an epoch of fewer batches
                cast("MomentLog", self.log).take(average.module)
        return norms


@contextmanager
def _small_numbers_as_zero() -> Iterator[None]:
    """Take numbers under 1e-38 for zero: gradients that vanish through time are so small, and products of them slow."""
    torch.set_flush_denormal(True)
    try:
        yield
    finally:
        torch.set_flush_denormal(False)


def _line(record: EpochRecord) -> str:
    """Return the progress line after an epoch."""
    return (
        f"epoch {record.epoch}: train {record.train_loss:.3f} nats, {record.train_accuracy:.2%}; "
        f"validation {record.validation_loss:.3f} nats, {record.validation_accuracy:.2%}; {record.seconds:.1f} s"
    )
