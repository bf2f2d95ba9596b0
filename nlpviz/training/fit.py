"""The training loop of a classifier: seeded, resumable, the same on a CPU, a GPU or several processes.

Under an existing launcher (``torchrun``, ``accelerate launch``) every process runs this same code: each takes
its share of every batch, gradients are averaged, and the result is that of one process with whole batches.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter
from typing import NamedTuple, cast

import numpy as np
import torch
from accelerate import Accelerator
from torch import Tensor, nn

from nlpviz.results.history import EpochRecord
from nlpviz.runs.weights import weights_file
from nlpviz.training.adversarial import TrainingLosses
from nlpviz.training.averaging import WeightAverage
from nlpviz.training.batches import Labelled
from nlpviz.training.bounds import another_epoch
from nlpviz.training.devices import set_precision
from nlpviz.training.log import MomentLog, marks
from nlpviz.training.measures import measure, shares
from nlpviz.training.state import TrainingState


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
    """Train ``model``, write the weights of every epoch into ``folder``, and return the epochs' records.

    A training that was stopped goes on from its last finished epoch, and ends where it would have ended.
    Epoch 0, before training, is measured and kept as well. ``log`` takes the moments that ``settings`` ask for.

    Raises:
        OutOfTimeError: before an epoch that would pass the time, unless the training concludes.
    """
    state = TrainingState(folder, _fingerprint(model, train, validation, settings))
    torch.manual_seed(settings.seed)
    set_precision(settings.precision)
    optimizer = optimizer_of(model, settings)
    bare = model.to(accelerator.device)
    model, optimizer = accelerator.prepare(TrainingLosses(bare, train, settings.adversarial), optimizer)
    average = WeightAverage(bare, settings.averaging)
    learner = _Learner(model, optimizer, average)
    records = state.resume(bare, optimizer, average)
    lasted = records[-1].seconds if records else 0.0
    while not _patience_over(records, settings) and another_epoch(len(records), settings.epochs, lasted):
        epoch = len(records)
        started = perf_counter()
        norm = 0.0
        if epoch:
            with _small_numbers_as_zero():
                norm = _train_epoch(learner, train, settings, epoch, accelerator, log)
        elif log:
            log.take(average.module)
        seconds = perf_counter() - started - (log.seconds if log else 0)
        if log:
            on_train, on_validation = log.measured()
        else:
            on_train, on_validation = (measure(average.module, some, accelerator) for some in (train, validation))
        records.append(
            EpochRecord(
                epoch,
                on_train.loss,
                on_train.accuracy,
                on_validation.loss,
                on_validation.accuracy,
                norm,
                seconds,
            )
        )
        if log:
            log.keep(epoch)
        if accelerator.is_main_process:
            state.keep(average.module, folder / weights_file(epoch))
            state.save(bare, optimizer, average, records)
            accelerator.print(_line(records[-1]))
        accelerator.wait_for_everyone()
        lasted = max(perf_counter() - started, lasted)
    return records


def best_epoch(records: list[EpochRecord]) -> int:
    """Return the epoch with the highest validation accuracy; among equals, that with the lowest loss."""
    return max(records, key=lambda record: (record.validation_accuracy, -record.validation_loss)).epoch


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


class _Learner(NamedTuple):
    """What a step changes."""

    model: nn.Module  # returns the loss of each text
    optimizer: torch.optim.Optimizer
    average: WeightAverage


def _train_epoch(
    learner: _Learner,
    train: Labelled,
    settings: FitSettings,
    epoch: int,
    accelerator: Accelerator,
    log: MomentLog | None,
) -> float:
    """Make one pass over the training texts; return the mean gradient norm.

    Order and dropout are seeded by the epoch, so that a resumed training repeats an uninterrupted one.
    """
    model, optimizer, average = learner
    model.train()
    torch.manual_seed(settings.seed * 10_000 + epoch * 100 + accelerator.process_index)
    rng = np.random.default_rng([settings.seed, epoch])
    if settings.gaps:
        train = train.with_gaps(rng)
    norms: list[Tensor] = []
    moments = Counter(marks(-(-len(train) // settings.batch_size), settings.moments) if log else ())
    for size, ids, labels, weights in shares(accelerator, train, settings.batch_size, rng):
        optimizer.zero_grad()
        # The processes' gradients are averaged: scaled so, they add up to the mean over the whole batch.
        loss = (model(ids, labels) * weights).sum() * accelerator.num_processes / size
        accelerator.backward(loss)
        # The norm before clipping, for the history.
        norms.append(nn.utils.get_total_norm([p.grad for p in model.parameters() if p.grad is not None]))
        if settings.clip:
            nn.utils.clip_grads_with_norm_(model.parameters(), settings.clip, norms[-1])
        optimizer.step()
        average.update()
        for _ in range(moments[len(norms)]):  # several in an epoch of fewer batches
            cast("MomentLog", log).take(average.module)
    return float(torch.stack(norms).mean()) if norms else 0.0


@contextmanager
def _small_numbers_as_zero() -> Iterator[None]:
    """Take numbers under 1e-38 for zero: gradients that vanish through time are so small, and products of them slow."""
    torch.set_flush_denormal(True)
    try:
        yield
    finally:
        torch.set_flush_denormal(False)


def _fingerprint(model: nn.Module, train: Labelled, validation: Labelled, settings: FitSettings) -> str:
    """Return what tells one training from another: settings, sizes of the model, texts and tokens of the splits."""
    sizes = [(len(split), sum(len(ids) for ids in split.ids)) for split in (train, validation)]
    return json.dumps([asdict(settings), str(getattr(model, "config", model)), sizes])


def _patience_over(records: list[EpochRecord], settings: FitSettings) -> bool:
    """Whether the best epoch lies too far back for another one."""
    return bool(records) and records[-1].epoch - best_epoch(records) >= settings.patience


def _line(record: EpochRecord) -> str:
    """Return the progress line after an epoch."""
    return (
        f"epoch {record.epoch}: train {record.train_loss:.3f} nats, {record.train_accuracy:.2%}; "
        f"validation {record.validation_loss:.3f} nats, {record.validation_accuracy:.2%}; {record.seconds:.1f} s"
    )
