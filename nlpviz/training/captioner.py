"""How a network learns to caption images: scenes drawn as they are needed, epochs, a choice on validation."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple, cast

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional
from tqdm import tqdm

from nlpviz.data import corpus_named, scenes
from nlpviz.data.captioned import CaptionedImages
from nlpviz.models import Configured, captioners
from nlpviz.models.captioner import Captioner
from nlpviz.reading.captions import describe, measure_captions
from nlpviz.results.captions import CaptionsMeasured
from nlpviz.results.history import CaptionEpoch
from nlpviz.runs import Run, open_run
from nlpviz.runs.captioners import KIND, TrainedCaptioner, load_captioner
from nlpviz.runs.history import write_history
from nlpviz.runs.run import VOCABULARY
from nlpviz.runs.weights import prune_checkpoints, weights_file
from nlpviz.text.vocabulary import EOS, PAD, Vocabulary
from nlpviz.training import Options, Recipe, Stages, accelerator_for
from nlpviz.training.arrays import Arrays
from nlpviz.training.averaging import WeightAverage
from nlpviz.training.bounds import check_time, portion
from nlpviz.training.captioner_card import write_captioner_card
from nlpviz.training.provenance import describe as describe_device
from nlpviz.training.provenance import today, versions
from nlpviz.training.state import TrainingState

_LARGE = 1 << 14
"""A matrix with so many numbers is stored in eight bits."""
_VALIDATED = 300
"""Validation images on which the epochs are compared."""


@dataclass(frozen=True)
class CaptionerFit:
    """How a captioner is fitted.

    Attributes:
        epochs: of so many steps each.
        steps: of an epoch.
        batch_size: images a step.
        learning_rate: of Adam (Kingma and Ba 2015) at first: it falls linearly to a fiftieth.
        averaging: decay of the moving average of the weights, which is what is measured and kept.
        clip: the norm that a step's gradient is scaled down to.
        reward: λ_r of hard attention: how much the score function counts (Xu et al. 2015, section 4.1).
        entropy: λ_e of hard attention: how much evenness is rewarded.
        seed: of weights and scenes.
    """

    epochs: int = 12
    steps: int = 500
    batch_size: int = 48
    learning_rate: float = 2e-3
    averaging: float = 0.999
    clip: float = 5.0
    reward: float = 0.3
    entropy: float = 0.005
    seed: int = 0


@dataclass(frozen=True)
class CaptionerSettings:
    """Everything that makes one run what it is.

    Attributes:
        config: fields of the architecture's config, without the size of the vocabulary.
        kept_epochs: epochs whose weights the run keeps besides the chosen one.
        fit: of the training loop.
        architecture: a name of :func:`nlpviz.models.captioners`.
    """

    config: Mapping[str, Any] = field(default_factory=dict)
    kept_epochs: tuple[int, ...] = (0, 2, 4)
    fit: CaptionerFit = field(default_factory=CaptionerFit)
    architecture: str = "captioner"


class Batch(NamedTuple):
    """Some images (B, 3, S, S) and a caption of each as ids (B, T), with its end, padded."""

    images: Tensor
    ids: Tensor


def captioner_recipe(name: str, title: str, settings: CaptionerSettings, worth: int = 1) -> Recipe:
    """Return the recipe that makes the run ``name`` on drawn scenes, as ``settings`` say."""
    stages = Stages(
        reads=scenes.CORPUS.name,
        encode=_encode,
        fit=partial(_fit, title=title, settings=settings),
        finish=_finish,
        one_process=True,
        own_vectors=True,
    )
    return Recipe(
        name=name,
        title=title,
        corpus=scenes.CORPUS.name,
        make=stages.make,
        evaluate=evaluate,
        stages=stages,
        worth=worth,
        settings=settings,
    )


def evaluate(run_name: str, _: Options, epoch: int | None = None) -> dict[str, float]:
    """Return what an epoch reaches on the test scenes."""
    return _on("test", load_captioner(open_run(run_name), epoch))._asdict()


def _encode(_: Path, __: Options) -> Arrays:
    """Return the sides of the images: nothing else is read."""
    return {"side": np.array([scenes.SIDE])}


def _fit(arrays: Arrays, folder: Path, options: Options, *, title: str, settings: CaptionerSettings) -> None:
    """Train on drawn scenes, and write the run as far as it is known before the test scenes are told."""
    device = accelerator_for(options.device).device
    fit = replace(settings.fit, steps=portion(settings.fit.steps), epochs=options.epochs or settings.fit.epochs)
    vocabulary = Vocabulary.count([[EOS, *scenes.words()]], size=100, min_count=1)
    torch.manual_seed(fit.seed)
    architecture = captioners()[settings.architecture]
    config = architecture.config(vocabulary_size=len(vocabulary), side=int(arrays["side"][0]), **settings.config)
    model = cast("Captioner", architecture.build(config)).to(device)
    options.say(f"Learning to caption scenes, {fit.epochs * fit.steps * fit.batch_size:,} of them")
    records = fit_captioner(model, vocabulary, fit, folder)
    vocabulary.save(folder / VOCABULARY)
    write_history(folder, records)
    best = _best(records)
    kept = tuple(sorted({*settings.kept_epochs, best.epoch} & {record.epoch for record in records}))
    prune_checkpoints(folder, kept, eight_bits=True, large=_LARGE)
    Run(
        name=folder.name,
        title=title,
        kind=KIND,
        architecture=settings.architecture,
        config=asdict(config),
        class_names=(),
        max_length=0,
        epochs=kept,
        best_epoch=best.epoch,
        parameters=tuple(cast("Configured", model).parameter_terms()),
        metrics={"validation": {"true": best.validation_true, "loss": best.validation_loss}},
        corpus={"name": scenes.CORPUS.name},
        recipe={"kept_epochs": list(settings.kept_epochs), "fit": asdict(fit)},
        device=describe_device(device),
        seconds=round(sum(record.seconds for record in records), 1),
        seconds_per_epoch=round(median([record.seconds for record in records[1:]] or [0.0]), 1),
        seed=fit.seed,
        created=today(),
        versions=versions(),
        files={},
        folder=folder,
    ).save()


def fit_captioner(model: Captioner, vocabulary: Vocabulary, fit: CaptionerFit, folder: Path) -> list[CaptionEpoch]:
    """Train ``model``, write the weights of every epoch into ``folder``, and return what the epochs reached.

    A training that was stopped goes on from its last finished epoch. Epoch 0, before training, is measured as well.

    Raises:
        OutOfTimeError: before an epoch that would pass the time.
    """
    state = TrainingState(folder, json.dumps([asdict(fit), str(model.config)]))
    optimizer = torch.optim.Adam(model.parameters(), lr=fit.learning_rate)
    average = WeightAverage(model, fit.averaging)
    records = state.restore(CaptionEpoch, model, optimizer, average)
    validation = scenes.held_out("validation", portion(_VALIDATED))
    lasted = records[-1].seconds if records else 0.0
    while len(records) <= fit.epochs:
        check_time(lasted)
        epoch, started, loss, norm = len(records), perf_counter(), float("nan"), float("nan")
        if epoch:
            loss, norm = _train_epoch(model, vocabulary, (optimizer, average), fit, epoch)
        lasted = perf_counter() - started
        validated, true = _validate(cast("Captioner", average.module), vocabulary, validation)
        records.append(CaptionEpoch(epoch, loss, validated, true, norm, lasted))
        state.keep(average.module, folder / weights_file(epoch))
        state.save(model, optimizer, average, records)
        tqdm.write(
            f"epoch {epoch}: train {loss:.3f} nats a word, validation {validated:.3f}, {true:.1%} of the captions "
            f"true; {lasted:.1f} s"
        )
    return records


def _train_epoch(
    model: Captioner,
    vocabulary: Vocabulary,
    learner: tuple[torch.optim.Optimizer, WeightAverage],
    fit: CaptionerFit,
    epoch: int,
) -> tuple[float, float]:
    """Take an epoch's steps; return the mean loss of a word and the mean gradient norm.

    Scenes and draws are seeded by the epoch, so that a resumed training repeats an uninterrupted one.
    """
    optimizer, average = learner
    model.train()
    torch.manual_seed(fit.seed * 10_000 + epoch)
    rng = np.random.default_rng([fit.seed, epoch])
    losses, norms, baseline = [], [], float("nan")
    for step in tqdm(range(fit.steps), unit="step", leave=False, disable=None):
        done = ((epoch - 1) * fit.steps + step) / (fit.epochs * fit.steps)
        for group in optimizer.param_groups:
            group["lr"] = fit.learning_rate * max(1 - done, 0.02)
        batch = batch_of(scenes.some(rng, fit.batch_size), vocabulary, next(model.parameters()).device)
        told = _told(model, batch)
        likelihood = told.likelihoods.detach()  # (B,)
        baseline = float(likelihood.mean()) if np.isnan(baseline) else 0.9 * baseline + 0.1 * float(likelihood.mean())
        loss = -told.likelihoods.mean()
        if model.config.attention == "hard":  # section 4.1: the score function, with a moving average as its baseline
            loss = loss - fit.reward * ((likelihood - baseline) * told.chosen).mean() - fit.entropy * told.entropy
        optimizer.zero_grad()
        torch.autograd.backward(loss)
        norms.append(float(nn.utils.clip_grad_norm_(model.parameters(), fit.clip)))
        optimizer.step()
        average.update()
        losses.append(-float(likelihood.sum()) / int((batch.ids != PAD).sum()))
    model.eval()
    return float(np.mean(losses)), float(np.mean(norms))


class _Told(NamedTuple):
    """What a batch of captions is to a network.

    Attributes:
        likelihoods: (B,), log-probability of each caption.
        chosen: (B,), log-probability of the places that hard attention drew for it; zero of soft attention.
        entropy: mean over captions of the entropy of the weights, over their words.
    """

    likelihoods: Tensor
    chosen: Tensor
    entropy: Tensor


def _told(model: Captioner, batch: Batch) -> _Told:
    """Return what the captions of a batch are to a network, each word given those before it."""
    state, words = model.start(batch.images), torch.full_like(batch.ids[:, 0], _eos(batch))
    likelihoods, chosen = (torch.zeros(len(words), device=words.device) for _ in range(2))
    entropy = likelihoods.new_zeros(())
    for target in batch.ids.unbind(dim=1):
        done = model.step(words, state)
        state, real = done.state, (target != PAD).float()
        likelihoods = likelihoods - functional.cross_entropy(done.logits, target, reduction="none") * real
        if done.place is not None:
            logs = (done.weights + 1e-9).log()
            chosen = chosen + logs.gather(1, done.place.unsqueeze(1)).squeeze(1) * real
            entropy = entropy - ((done.weights * logs).sum(dim=1) * real).mean()
        words = target
    return _Told(likelihoods, chosen, entropy)


def _eos(batch: Batch) -> int:
    """Return the id that ends every caption."""
    last = (batch.ids[0] != PAD).sum() - 1
    return int(batch.ids[0, last])


def batch_of(some: CaptionedImages, vocabulary: Vocabulary, device: torch.device) -> Batch:
    """Return images with their first captions as a network takes them."""
    rows = [vocabulary.ids([*captions[0], EOS]) for captions in some.captions]
    ids = np.full((len(rows), max(map(len, rows))), PAD, dtype=np.int64)
    for place, row in enumerate(rows):
        ids[place, : len(row)] = row
    return Batch(torch.from_numpy(some.images).to(device), torch.from_numpy(ids).to(device))


def _validate(model: Captioner, vocabulary: Vocabulary, validation: CaptionedImages) -> tuple[float, float]:
    """Return the mean loss of a word, and the share of the captions that are true."""
    batch = batch_of(validation, vocabulary, next(model.parameters()).device)
    model.eval()
    with torch.inference_mode():
        loss = -float(_told(model, batch).likelihoods.sum()) / int((batch.ids != PAD).sum())
    trained = TrainedCaptioner("", 0, model, vocabulary)
    return loss, measure_captions(describe(trained, validation.images), validation.scenes).true


def _best(records: Sequence[CaptionEpoch]) -> CaptionEpoch:
    """Return the epoch with the largest share of true captions; of equal ones, that of the lowest loss."""
    return max(records, key=lambda record: (record.validation_true, -record.validation_loss))


def _finish(folder: Path, options: Options) -> None:
    """Caption the test scenes with the weights as they are stored; write card and manifest."""
    run = Run.open(folder)
    trained = load_captioner(run)
    options.say("Captioning the test scenes, and those of unseen pairs")
    facts = {split: _on(split, trained)._asdict() for split in ("test", "unseen")}
    corpus = corpus_named(scenes.CORPUS.name)
    about = {"name": corpus.name, "sha256": corpus.sha256[0], "test": facts["test"]["documents"]}
    run = replace(run, metrics={"validation": run.metrics["validation"], **facts}, corpus=about)
    write_captioner_card(run, corpus, captioners()[run.architecture].source)
    run.save()


def _on(split: str, trained: TrainedCaptioner) -> CaptionsMeasured:
    """Return what the captions of a held-out split reach."""
    some = scenes.held_out(split)
    return measure_captions(describe(trained, some.images), some.scenes)
