"""The training of a network on sequences that are generated on demand: epochs, selection, errors by length."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from math import nan
from pathlib import Path
from typing import Any, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional
from tqdm import tqdm

from nlpviz.data import corpus_named
from nlpviz.data.bits import BitTask, bit_tasks
from nlpviz.language.decoding.bits import bits_wrong, length_error
from nlpviz.networks.architectures import Transducer, transducers
from nlpviz.results.history import TransducerEpoch
from nlpviz.runs import Run, open_run
from nlpviz.runs.transducers import KIND, load_transducer, task_of, write_lengths
from nlpviz.training import Family, Options, accelerator_for
from nlpviz.training.arrays import Arrays
from nlpviz.training.averaging import WeightAverage
from nlpviz.training.bounds import portion
from nlpviz.training.loop import Learner, Training, fit_epochs
from nlpviz.training.manifest import begun, measured
from nlpviz.training.sources import Sources
from nlpviz.training.storing import save_fitted, store_epochs
from nlpviz.training.transducer_card import write_transducer_card

_LARGE = 1 << 17
"""A table that no epoch changes is stored in eight bits from so many numbers on."""
_ANSWERING = 8  # validation sequences of each length whose answers say how coarsely weights may be stored
TRIED = 100
"""Sequences of each length that is measured beyond the trained ones."""


@dataclass(frozen=True)
class TransducerFit:
    """How a transducer is fitted.

    Attributes:
        epochs: of so many steps each.
        steps: of an epoch.
        batch_size: sequences a step, all of one length.
        learning_rate: of Adam (Kingma and Ba 2015) at first: it falls linearly to a twentieth.
        clip: the norm that a step's gradient is scaled down to.
        seed: of weights and sequences.
    """

    epochs: int = 16
    steps: int = 250
    batch_size: int = 16
    learning_rate: float = 1e-3
    clip: float = 1.0
    seed: int = 0


@dataclass(frozen=True)
class TransducerSettings:
    """All settings of one run.

    Attributes:
        corpus: its task, a name of :func:`nlpviz.data.bits.bit_tasks`.
        architecture: a name of :func:`nlpviz.networks.architectures.transducers`.
        config: fields of the architecture's config, without the task's numbers of inputs and outputs.
        kept_epochs: epochs whose weights the run keeps besides the chosen one; None keeps all.
        fit: of the training loop.
    """

    corpus: str
    architecture: str
    config: Mapping[str, Any] = field(default_factory=dict)
    kept_epochs: tuple[int, ...] | None = None
    fit: TransducerFit = field(default_factory=TransducerFit)


def evaluate(run_name: str, _: Options, epoch: int | None = None) -> dict[str, float]:
    """Return how often an epoch answers the test sequences wrongly, at the trained lengths and at twice the longest."""
    run = open_run(run_name)
    return _on_test(run, load_transducer(run, epoch))


def _encode(settings: TransducerSettings, _: Sources, __: Options) -> Arrays:
    """Return the trained lengths: nothing else is read."""
    return {"lengths": np.array(bit_tasks()[settings.corpus].trained)}


def _fit(settings: TransducerSettings, title: str, arrays: Arrays, folder: Path, options: Options) -> None:
    """Train on drawn sequences, and write the run as far as it is known before the test sequences are answered."""
    device = accelerator_for(options.device).device
    fit = replace(settings.fit, steps=portion(settings.fit.steps))
    task = bit_tasks()[settings.corpus]
    torch.manual_seed(fit.seed)
    architecture = transducers()[settings.architecture]
    config = architecture.config(inputs=task.inputs, outputs=task.outputs, **settings.config)
    model = architecture.build(config).to(device)
    options.say(f"Training on {task.title.lower()}, with sequences of {len(arrays['lengths'])} different lengths")
    records = fit_transducer(model, task, fit, folder)
    best = max(records, key=score)
    stored = store_epochs(folder, settings.kept_epochs, best.epoch, model, lambda: _answers(model, task), large=_LARGE)
    run = replace(
        begun(folder, title, KIND, replace(settings, fit=fit), ("corpus", "architecture", "config")),
        metrics={"validation": {"error": best.validation_error, "loss": best.validation_loss}},
    )
    save_fitted(run, model, records, stored, device)


def fit_transducer(model: nn.Module, task: BitTask, fit: TransducerFit, folder: Path) -> list[TransducerEpoch]:
    """Train ``model`` in ``folder`` (:func:`nlpviz.training.loop.fit_epochs`), and return the epochs' records."""
    optimizer = torch.optim.Adam(model.parameters(), lr=fit.learning_rate)
    learner = Learner(model, optimizer, WeightAverage(model, 0.0))
    training = Training(
        record=TransducerEpoch,
        settings=fit,
        examples=(task.name,),
        train_epoch=partial(_train_epoch, learner, task, fit),
        validate=partial(_validate, task),
        score=score,
        progress=_line,
        before={"train_loss": nan, "gradient_norm": nan},
    )
    return fit_epochs(training, learner, folder)


def score(record: TransducerEpoch) -> float:
    """Return what an epoch is chosen by: minus the validation loss."""
    return -record.validation_loss


def _line(record: TransducerEpoch) -> str:
    """Return the progress line after an epoch."""
    return (
        f"epoch {record.epoch}: train {record.train_loss:.4f} nats per bit, validation {record.validation_loss:.4f}, "
        f"bit error rate {record.validation_error:.2%}; {record.seconds:.1f} s"
    )


def _train_epoch(
    learner: Learner, task: BitTask, fit: TransducerFit, epoch: int, rng: np.random.Generator
) -> dict[str, float]:
    """Take an epoch's steps; return the mean loss and the mean gradient norm."""
    model, device = learner.model, next(learner.model.parameters()).device
    losses, norms = [], []
    for step in tqdm(range(fit.steps), unit="step", leave=False, disable=None):
        done = ((epoch - 1) * fit.steps + step) / (fit.epochs * fit.steps)
        batch = task.draw(rng, fit.batch_size, int(rng.choice(task.trained)))
        loss = _loss(model, torch.from_numpy(batch.inputs).to(device), torch.from_numpy(batch.targets).to(device))
        norms.append(float(learner.step(loss, fit.clip, fit.learning_rate * max(1 - done, 0.05))))
        losses.append(loss.item())
    return {"train_loss": float(np.mean(losses)), "gradient_norm": float(np.mean(norms))}


def _loss(model: nn.Module, inputs: Tensor, targets: Tensor) -> Tensor:
    """Return the mean cross-entropy of an answered bit, in nats."""
    answers = cast("Transducer", model).answer(inputs)[:, -targets.shape[1] :]
    return functional.binary_cross_entropy_with_logits(answers, targets)


def _validate(task: BitTask, model: nn.Module) -> dict[str, float]:
    """Return the mean loss and the share of wrong bits on a fifth of the validation sequences."""
    loss, wrong, bits = 0.0, 0, 0
    device = next(model.parameters()).device
    with torch.inference_mode():
        for batch in task.read("validation"):
            few = max(len(batch.inputs) // 5, 1)
            inputs, targets = (torch.from_numpy(side[:few]).to(device) for side in batch)
            answers = cast("Transducer", model).answer(inputs)[:, -targets.shape[1] :]
            loss += functional.binary_cross_entropy_with_logits(answers, targets, reduction="sum").item()
            wrong += int(((answers > 0) != (targets > 0.5)).sum())
            bits += targets.numel()
    return {"validation_loss": loss / bits, "validation_error": wrong / bits}


@torch.inference_mode()
def _answers(model: nn.Module, task: BitTask) -> NDArray[np.float32]:
    """Return the logits of the answers to a few validation sequences of each length, one after the other."""
    model, device = model.eval(), next(model.parameters()).device
    read = (
        (torch.from_numpy(batch.inputs[:_ANSWERING]).to(device), batch.targets) for batch in task.read("validation")
    )
    found = [cast("Transducer", model).answer(inputs)[:, -targets.shape[1] :].flatten() for inputs, targets in read]
    return np.asarray(torch.cat(found).cpu().numpy())


def _finish(folder: Path, options: Options) -> None:
    """Answer the test sequences with the weights of each kept epoch as they are stored; write card and manifest."""
    run = Run.open(folder)
    task, rows = task_of(run), []
    for epoch in run.epochs:
        options.say(f"Testing sequences of {len(task.tested)} lengths with epoch {epoch}")
        module = load_transducer(run, epoch)
        rows += [length_error(module, task, epoch, length, TRIED, "test") for length in task.tested]
    write_lengths(folder, rows)
    facts = _on_test(run, load_transducer(run))
    corpus = corpus_named(task.name)
    run = measured(run, corpus, {"test": facts}, test=int(facts["documents"]))
    write_transducer_card(run, corpus, transducers()[run.architecture].source)
    run.save()


def _on_test(run: Run, module: nn.Module) -> dict[str, float]:
    """Return the share of wrong bits over the test sequences of trained lengths, and at twice the longest."""
    task = task_of(run)
    wrong = [bits_wrong(module, batch) for batch in task.read("test")]
    twice = length_error(module, task, run.best_epoch, task.twice, TRIED, "test")
    return {
        "error": sum(int(one.sum()) for one in wrong) / sum(one.size for one in wrong),
        "exact": float(np.concatenate([~one.any(axis=(1, 2)) for one in wrong]).mean()),
        "error_twice": twice.error,
        "exact_twice": twice.exact,
        "documents": sum(len(one) for one in wrong),
    }


transducer_recipe = Family(encode=_encode, fit=_fit, finish=_finish, evaluate=evaluate, on_cpu=lambda _: True).recipe
