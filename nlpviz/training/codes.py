"""How an autoencoder's run is made: bags, epochs, selection on validation, one evaluation on test documents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

import numpy as np
import torch

from nlpviz.data import corpus_named
from nlpviz.networks.architectures import architectures
from nlpviz.networks.autoencoders import Autoencoder
from nlpviz.runs import Run, open_run
from nlpviz.runs.codes import KIND, VARIATIONAL, VARIATIONAL_KIND
from nlpviz.runs.run import VOCABULARY
from nlpviz.text.bags import FIRST
from nlpviz.training import Family, Options, accelerator_for
from nlpviz.training.arrays import Arrays, vocabulary_of
from nlpviz.training.bags import BagSplit, encode_bags, read_split, training_bags
from nlpviz.training.codes_card import write_codes_card
from nlpviz.training.codes_documents import write_codes
from nlpviz.training.codes_fit import Bags, CodesFit, fit_autoencoder, score
from nlpviz.training.codes_measures import costs, measure
from nlpviz.training.documents import balanced_sample
from nlpviz.training.manifest import begun, measured
from nlpviz.training.sources import Sources, reads_texts, texts_from
from nlpviz.training.storing import save_fitted, store_epochs

_LARGE = 1 << 11
"""A table that no epoch changes is stored in eight bits from so many numbers on."""
_HIDDEN = ("config", "class_names", "corpus", "architecture", "max_length")  # of the settings
_ANSWERING = 500  # validation documents whose losses say how coarsely weights may be stored


@dataclass(frozen=True)
class CodesSettings:
    """All settings of one autoencoder's run.

    Attributes:
        corpus: its name; it has the splits train and test.
        class_names: in the order of the labels, which training never sees.
        architecture: a name of :func:`nlpviz.networks.architectures.architectures`.
        config: fields of the architecture's config, without the size of the vocabulary.
        words: of the vocabulary.
        max_length: tokens read of a document.
        validation: documents held out, to choose the epoch on.
        kept_documents: test documents whose codes the run keeps.
        kept_epochs: epochs whose weights the run keeps besides the chosen one; None keeps all.
        fit: of the training loop.
        remedy: of runs that differ in what is done against the collapse of their codes alone: what that is called;
            ``"nothing"`` where nothing is. Empty of all other runs.
    """

    corpus: str
    class_names: tuple[str, ...]
    architecture: str
    config: Mapping[str, Any]
    words: int = 2_000
    max_length: int = 400
    validation: int = 1_200
    kept_documents: int = 2_000
    kept_epochs: tuple[int, ...] | None = None
    fit: CodesFit = field(default_factory=CodesFit)
    remedy: str = ""


def evaluate(run_name: str, options: Options, epoch: int | None = None) -> dict[str, float]:
    """Return the measures of an epoch, by default the best one, on a run's test split."""
    run = open_run(run_name)
    return measure(_module(run, epoch, options), read_split(run).bags)


def _module(run: Run, epoch: int | None, options: Options) -> Autoencoder:
    return cast("Autoencoder", run.load(epoch).module.to(accelerator_for(options.device).device))


def _encode(settings: CodesSettings, sources: Sources, _: Options) -> Arrays:
    """Return the training documents as ids of words, with these words and labels."""
    return encode_bags(texts_from(sources, settings.corpus, "train"), settings.words, settings.max_length)


def _fit(settings: CodesSettings, title: str, arrays: Arrays, folder: Path, options: Options) -> None:
    """Train on bags, and write the run as far as it is known before the test documents are read."""
    device = accelerator_for(options.device).device
    vocabulary = vocabulary_of(arrays, "vocabulary")
    bags = training_bags(arrays, vocabulary, len(settings.class_names), settings.validation)
    torch.manual_seed(settings.fit.seed)
    architecture = architectures()[settings.architecture]
    module = cast("Autoencoder", architecture.build(architecture.config(len(vocabulary), **settings.config)))
    _start_from_frequencies(module, bags)
    options.say(f"Training on {len(bags.train):,} documents; vocabulary of {len(vocabulary) - FIRST:,} words")
    records = fit_autoencoder(module.to(device), bags, settings.fit, folder)
    vocabulary.save(folder / VOCABULARY)
    best, few = max(records, key=score), bags.validation[:_ANSWERING]
    stored = store_epochs(
        folder, settings.kept_epochs, best.epoch, module, lambda: costs(module, few, 1).each, large=_LARGE
    )
    run = replace(
        begun(folder, title, VARIATIONAL_KIND if settings.architecture == VARIATIONAL else KIND, settings, _HIDDEN),
        corpus={"name": settings.corpus, "train": len(bags.train), "validation": len(bags.validation)},
    )
    save_fitted(run, module, records, stored, device)
    run = Run.open(folder)  # with the weights as they are stored
    replace(run, metrics={"validation": measure(_module(run, None, options), bags.validation)}).save()


@torch.no_grad()
def _start_from_frequencies(module: Autoencoder, bags: Bags) -> None:
    """Let the output biases predict each word as often as it stands in training: no code need say that."""
    counts = torch.from_numpy(bags.train.sum(axis=0).astype(np.float32)) + 1.0
    module.output.bias.copy_((counts / counts.sum()).log())


def _finish(folder: Path, options: Options) -> None:
    """Measure validation and test documents with the stored weights, and write codes, card and manifest."""
    run = Run.open(folder)
    corpus, test = corpus_named(run.corpus["name"]), read_split(run)
    options.say(f"Evaluating on {len(test.bags):,} test documents")
    module = _module(run, None, options)
    metrics = {"test": measure(module, test.bags)}
    run = measured(run, corpus, metrics, test=len(test.bags), empty=test.empty)
    write_codes(run, _kept(test, run.recipe["kept_documents"]))
    write_codes_card(run, corpus, architectures()[run.architecture].source)
    run.save()


def _kept(test: BagSplit, count: int) -> BagSplit:
    """Return as many test documents of each class."""
    rows = balanced_sample(test.labels, count)
    ids = [test.ids[row] for row in rows]
    return BagSplit(ids, test.labels[rows], test.ratings[rows], test.bags[rows], test.empty)


codes_recipe = Family(
    encode=_encode,
    fit=_fit,
    finish=_finish,
    evaluate=evaluate,
    reads=lambda settings: reads_texts(settings.corpus, "train"),
    on_cpu=lambda _: True,
).recipe
