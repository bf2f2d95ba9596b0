"""How a captioning run is made: vocabulary, epochs, selection on validation images, one evaluation on test images.

The source of the images depends only on the corpus: drawn scenes (:mod:`nlpviz.data.scenes`), or the user's
(:mod:`nlpviz.data.own_texts.readers.captions`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, cast

import numpy as np
import torch

from nlpviz.data import corpus_named, scenes
from nlpviz.data.captioned import CaptionedImages, ImageSource
from nlpviz.language.decoding.captions import describe, judge
from nlpviz.networks.architectures import captioners
from nlpviz.networks.architectures.captioner import Captioner
from nlpviz.runs import Run, open_run
from nlpviz.runs.captioners import KIND, OF_IMAGES, TrainedCaptioner, load_captioner
from nlpviz.runs.run import VOCABULARY
from nlpviz.text.vocabulary import EOS, Vocabulary
from nlpviz.training import Family, Options, TrainingError, accelerator_for
from nlpviz.training.arrays import Arrays
from nlpviz.training.bounds import portion
from nlpviz.training.captioner_card import write_captioner_card
from nlpviz.training.captioner_fit import CaptionerFit, Images, fit_captioner, loss_of, losses_of, score
from nlpviz.training.manifest import begun
from nlpviz.training.sources import Sources
from nlpviz.training.storing import save_fitted, store_epochs

_LARGE = 1 << 14
"""A table that no epoch changes is stored in eight bits from so many numbers on."""
_ANSWERING = 200  # validation images whose captions' losses say how coarsely weights may be stored
_HIDDEN = ("architecture", "config", "corpus", "min_count", "vocabulary_size")  # of the settings
VALIDATED = 300
"""Validation images on which the epochs are compared, at most."""


@dataclass(frozen=True)
class CaptionerSettings:
    """All settings of one run.

    Attributes:
        config: fields of the architecture's config, without the sizes of vocabulary and images.
        kept_epochs: epochs whose weights the run keeps besides the chosen one; None keeps all.
        fit: of the training loop.
        architecture: a name of :func:`nlpviz.networks.architectures.captioners`.
        corpus: its name; it has a split train that is an :class:`nlpviz.data.captioned.ImageSource`.
        vocabulary_size: ids at most.
        min_count: how often a word stands in training at least, to be known.
    """

    config: Mapping[str, Any] = field(default_factory=dict)
    kept_epochs: tuple[int, ...] | None = None
    fit: CaptionerFit = field(default_factory=CaptionerFit)
    architecture: str = "captioner"
    corpus: str = scenes.CORPUS.name
    vocabulary_size: int = 10_000
    min_count: int = 1


def evaluate(run_name: str, options: Options, epoch: int | None = None) -> dict[str, float]:
    """Return the measures of an epoch on the test images."""
    run = open_run(run_name)
    return measure(loaded(run, epoch, options), held_out(run, "test"))


def _encode(settings: CaptionerSettings, _: Sources, __: Options) -> Arrays:
    """Return the seed of the images that are drawn: nothing else is read."""
    return {"seed": np.array([settings.fit.seed])}


def _fit(settings: CaptionerSettings, title: str, _: Arrays, folder: Path, options: Options) -> None:
    """Train, and write the run as known before the test images are captioned."""
    device = accelerator_for(options.device).device
    fit = replace(settings.fit, steps=portion(settings.fit.steps))
    settings = replace(settings, fit=fit)
    images = _images(settings.corpus)
    ended = ([*words, EOS] for words in images.train.words())
    vocabulary = Vocabulary.count(ended, settings.vocabulary_size, settings.min_count)
    torch.manual_seed(fit.seed)
    architecture = captioners()[settings.architecture]
    sizes = {"vocabulary_size": len(vocabulary), "side": images.validation.images.shape[-1]}
    model = cast("Captioner", architecture.build(architecture.config(**sizes, **settings.config))).to(device)
    if fit.starts_from:
        model.load_state_dict(load_captioner(open_run(fit.starts_from)).module.state_dict())
    options.say(
        f"Training on {fit.epochs * fit.steps * fit.batch_size:,} images; vocabulary of {len(vocabulary):,} words"
    )
    records = fit_captioner(model, vocabulary, images, fit, folder)
    vocabulary.save(folder / VOCABULARY)
    few, best = next(iter(images.validation.parts(_ANSWERING))), max(records, key=score)
    answers = partial(losses_of, model, vocabulary, few)
    stored = store_epochs(folder, settings.kept_epochs, best.epoch, model, answers, large=_LARGE)
    known = {} if np.isnan(best.validation_true) else {"true": best.validation_true}
    run = replace(
        begun(folder, title, KIND if images.validation.scenes else OF_IMAGES, settings, _HIDDEN),
        metrics={"validation": {**known, "loss": best.validation_loss}},
        corpus={"name": settings.corpus, "train": len(images.train), "validation": len(images.validation)},
    )
    save_fitted(run, model, records, stored, device)


def _images(corpus: str) -> Images:
    """Return what is learnt from, and the images by which the epoch is chosen.

    Raises:
        TrainingError: if the corpus has none.
    """
    chosen_by, read = corpus_named(corpus).held_out[0], corpus_named(corpus).read
    train, validation = read("train"), read(chosen_by)
    if not hasattr(train, "some") or not isinstance(validation, CaptionedImages):
        raise TrainingError(f"The corpus {corpus!r} has no captioned images.")
    return Images(cast("ImageSource", train), validation.first(portion(VALIDATED)))


def _finish(folder: Path, options: Options) -> None:
    """Caption the test images with the weights as they are stored; write card and manifest."""
    run = Run.open(folder)
    trained, corpus = loaded(run, None, options), corpus_named(run.corpus["name"])
    facts: dict[str, dict[str, float]] = {}
    for split in corpus.held_out[1:]:
        options.say(f"Captioning the {split} split")
        facts[split] = measure(trained, held_out(run, split))
    about = {**run.corpus, "name": corpus.name, "sha256": corpus.sha256[0], "test": facts["test"]["documents"]}
    run = replace(run, metrics={"validation": run.metrics["validation"], **facts}, corpus=about)
    write_captioner_card(run, corpus, captioners()[run.architecture].source)
    run.save()


def measure(trained: TrainedCaptioner, told: CaptionedImages) -> dict[str, float]:
    """Return the measures of the captions for held-out images, and the loss of their human captions."""
    loss, words = loss_of(trained.module, trained.vocabulary, told)
    judged = judge(describe(trained, told.images), told)
    return {**judged, "words": words, "loss": loss, "perplexity": float(np.exp(loss))}


def held_out(run: Run, split: str) -> CaptionedImages:
    """Return the images of a split of a run's corpus, or some of them in a rehearsal.

    Raises:
        CorpusMissing: if they are user data and are missing or have changed.
        DataError: if there is no such split.
    """
    told = cast("CaptionedImages", corpus_named(run.corpus["name"]).read(split))
    return told.first(portion(len(told)))


def loaded(run: Run, epoch: int | None, options: Options) -> TrainedCaptioner:
    """Return the network of an epoch on the requested device."""
    trained = load_captioner(run, epoch)
    trained.module.to(accelerator_for(options.device).device)
    return trained


captioner_recipe = Family(
    encode=_encode,  # of nothing: scenes are drawn where the run is fitted, and the user's images read where they are
    fit=_fit,
    finish=_finish,
    evaluate=evaluate,
    begins=lambda settings: settings.fit.starts_from,
    on_cpu=lambda _: True,
).recipe
