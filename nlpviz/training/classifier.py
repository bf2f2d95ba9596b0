"""How a text classifier's run is made: vocabulary, word vectors, epochs, one evaluation on the test texts, a folder."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from nlpviz.data import corpus_named
from nlpviz.networks.architectures import SkipsWords, architectures
from nlpviz.results.predictions import Predicted
from nlpviz.runs import Run, TrainedModel, open_run
from nlpviz.runs.epochs import keep_only, kept_of
from nlpviz.runs.run import VOCABULARY
from nlpviz.runs.weights import LARGE
from nlpviz.text.numbered import NumberedTexts
from nlpviz.text.vocabulary import SENTENCE, Vocabulary
from nlpviz.training import Family, Options, TrainingError, accelerator_for
from nlpviz.training.arrays import LOGGED, Arrays, rows_of, vocabulary_as_arrays, vocabulary_of
from nlpviz.training.batches import Labelled
from nlpviz.training.bounds import seconds_left
from nlpviz.training.devices import set_precision
from nlpviz.training.documents import balanced_sample, write_documents
from nlpviz.training.fit import FitSettings, fit, score
from nlpviz.training.held_out import held_out
from nlpviz.training.log import MomentLog, moments_of
from nlpviz.training.logged import finish_log, keep_fitted, parts_of
from nlpviz.training.manifest import begun, measured
from nlpviz.training.measures import logits_of, measure, updated_share
from nlpviz.training.predictions import ANSWERS, USED, Answered, exact_probabilities, keep_answers, kept_answers
from nlpviz.training.provenance import write_card
from nlpviz.training.sources import Reader, Sources, reads_sentences, reads_texts, sentence_numbers, texts_from
from nlpviz.training.storing import save_fitted, store_epochs
from nlpviz.training.texts import encoded, labelled_texts
from nlpviz.training.vectors import is_language_model, start_from_language_model, vectors_of_run

_GAPS = (0.5, 0.8)  # shares of the words that are left out, for a network that was trained so
_ASIDE = "."  # what is hidden is no part of a run, and goes when it is put in place
_WHOLE = ".of-all-epochs"
_ANSWERING = 500  # validation texts whose logits say how coarsely weights may be stored


@dataclass(frozen=True)
class ClassifierSettings:
    """All settings of one classifier's run.

    Attributes:
        corpus: its name; it has the splits train and test.
        class_names: in the order of the labels.
        architecture: a name in ``nlpviz.networks.architectures``.
        config: fields of the architecture's config, without ``vocabulary_size``.
        vocabulary_size: ids, the two special ones included.
        max_length: tokens read of a text.
        words_of: the run whose vocabulary is taken; empty counts the words of the training texts.
        validation: texts held out of the training split, to choose the epoch on.
        validation_gap: texts beside them that are not trained on either.
        kept_documents: test texts with a word in them whose probabilities and embeddings the run keeps.
        kept_epochs: epochs whose weights the run keeps besides the chosen one; None keeps all.
        large: from how many numbers on a table that no epoch changes is stored in eight bits a number.
        fit: of the training loop.
        on_gpu: what is changed where a GPU computes, as :func:`nlpviz.training.changed` takes it.
    """

    corpus: str
    class_names: tuple[str, ...]
    architecture: str
    config: Mapping[str, Any]
    vocabulary_size: int = 30_000
    words_of: str = ""
    max_length: int = 400
    validation: int = 2_500
    validation_gap: int = 0
    kept_documents: int = 2_000
    kept_epochs: tuple[int, ...] | None = None
    large: int = LARGE
    fit: FitSettings = field(default_factory=FitSettings)
    on_gpu: Mapping[str, Any] = field(default_factory=lambda: {"fit": {"precision": "high"}})


def evaluate(run_name: str, options: Options, epoch: int | None = None) -> dict[str, float]:
    """Return the accuracy and the loss (nats) of an epoch, by default the best one, on a run's test split.

    Of a network that skips words also the share of the words at which it updates its state.
    """
    run = open_run(run_name)
    reviews = labelled_texts(run.corpus["name"], "test")
    return measure_texts(run, reviews.texts, reviews.labels, options, epoch)


def measure_texts(
    run: Run, texts: Sequence[str], labels: NDArray[np.int8], options: Options, epoch: int | None = None
) -> dict[str, float]:
    """Return the accuracy and the loss (nats) of an epoch, by default the best one, on ``texts`` with their classes.

    Raises:
        RunError: if the run keeps no such epoch.
    """
    rows = encoded(run.vocabulary, texts, sentences=_reads_sentences(run.architecture))
    return _measure(run, rows, labels, options, epoch)


def _splits(settings: ClassifierSettings) -> tuple[str, ...]:
    """Return the splits that a fit reads: of the test split nothing is learnt, the log alone asks about it."""
    return ("train", "test") if settings.fit.moments else ("train",)


def _reads(settings: ClassifierSettings) -> dict[str, Reader]:
    splits, texts = _splits(settings), reads_texts(settings.corpus, *_splits(settings))
    by_sentence = _reads_sentences(settings.architecture)
    return texts | reads_sentences(settings.corpus, *splits) if by_sentence else texts


def _encode(settings: ClassifierSettings, sources: Sources, _: Options) -> Arrays:
    """Return the vocabulary, and the texts of each split as the model takes them, with their labels."""
    arrays: dict[str, NDArray[Any]] = {}
    for split in _splits(settings):
        texts, labels, held_out = texts_from(sources, settings.corpus, split)
        if split == "train":
            vocabulary = _vocabulary(texts, settings)
            arrays |= vocabulary_as_arrays("vocabulary", vocabulary)
        ids, name = texts.ids_in(vocabulary), "ids" if split == "train" else LOGGED
        if _reads_sentences(settings.architecture):
            ids += sentence_numbers(sources, settings.corpus, split, texts) * SENTENCE
        arrays |= {f"{name}.values": ids, f"{name}.lengths": texts.lengths}
        arrays["labels" if split == "train" else f"{LOGGED}.labels"] = labels
        if split == "train" and held_out is not None:
            arrays["held_out"] = held_out
    return arrays


def _vocabulary(texts: NumberedTexts, settings: ClassifierSettings) -> Vocabulary:
    """Return the words that are known: those of another run, or the commonest ones of the training texts."""
    return open_run(settings.words_of).vocabulary if settings.words_of else texts.vocabulary(settings.vocabulary_size)


def _fit(settings: ClassifierSettings, title: str, arrays: Arrays, folder: Path, options: Options) -> None:
    """Train on encoded texts; write the run, and what it answers to the test texts where these are among the arrays."""
    accelerator = accelerator_for(options.device)
    vocabulary, whole, test = rows_as_read(arrays, settings)
    with accelerator.main_process_first():
        model = _model(vocabulary, settings, options)
    rows = [row[: settings.max_length] for row in (*whole, *test)]
    labels = np.concatenate([arrays["labels"], *([arrays[f"{LOGGED}.labels"]] if test else [])])
    everything = Labelled(rows, labels)
    positions = _held_out(arrays, settings)
    train, validation = (everything.take(some) for some in positions)
    options.say(f"Training on {len(train):,} texts, {len(validation):,} held out for validation")
    log = MomentLog(everything, positions, folder, accelerator) if settings.fit.moments else None
    records = fit(model, train, validation, settings.fit, folder, accelerator, log)
    if log and accelerator.is_main_process:
        documents = {
            "label": labels,
            "part": parts_of(*positions, len(whole), len(test)),
            "tokens": np.array([len(row) for row in (*whole, *test)]),
        }
        moments = moments_of(len(records) - 1, settings.fit.moments)
        keep_fitted(folder, log.kept(len(records)), moments, documents)
    if accelerator.is_main_process:
        vocabulary.save(folder / VOCABULARY)
        for path in folder.glob(f"{_ASIDE}*{_WHOLE}"):  # stopped after its test texts were measured
            path.rename(folder / path.name.removeprefix(_ASIDE).removesuffix(_WHOLE))
        few = validation.take(np.arange(min(len(validation), _ANSWERING)))
        best = max(records, key=score)
        answers = partial(logits_of, model, few, accelerator.device)
        stored = store_epochs(folder, None, best.epoch, model, answers, large=settings.large)
        run = replace(
            begun(folder, title, "classifier", settings, ("config", "class_names", "corpus", "on_gpu")),
            metrics={"validation": {"accuracy": best.validation_accuracy, "loss": best.validation_loss}},
            corpus={"name": settings.corpus, "train": len(train), "validation": len(validation)},
        )
        run = save_fitted(run, model, records, stored, accelerator.device)
        if test and accelerator.num_processes == 1:
            _ask_about_test(run, test, options)
    accelerator.wait_for_everyone()


def _ask_about_test(run: Run, rows: Sequence[NDArray[np.int64]], options: Options) -> None:
    """Keep what the surveyed epochs answer to the test texts, the best one and as many others as there is time for.

    Where the run is finished there may be a CPU alone, which takes a minute an epoch for 25,000 reviews, and 25 minutes
    with a recurrent network of 1,024 units.
    """
    options.say(f"Classifying {len(rows):,} test texts")
    set_precision("highest")
    best, others = exact_probabilities(_placed(run, options), rows), {}
    for epoch in _surveyed(run):
        if epoch != run.best_epoch and seconds_left() > 0:
            others[epoch] = Predicted.of(exact_probabilities(_placed(run, options, epoch), rows))
    keep_answers(run.folder / ANSWERS, Answered(best, others))
    run.save()


def _model(vocabulary: Vocabulary, settings: ClassifierSettings, options: Options) -> nn.Module:
    """Return the model before training, with its initial word vectors."""
    torch.manual_seed(settings.fit.seed)
    architecture = architectures()[settings.architecture]
    model = architecture.build(architecture.config(vocabulary_size=len(vocabulary), **settings.config))
    if (run := settings.fit.starts_from) and is_language_model(run):
        start_from_language_model(model, run)
        options.say(f"Starting from the word vectors and recurrent layers of {run}")
    elif run:
        dimensions = model.get_parameter("embedding.weight").shape[1]
        vectors, known = vectors_of_run(run, vocabulary, dimensions)
        options.say(f"Starting from the word vectors of {run}, which cover {known:,} of {len(vocabulary) - 2:,} words")
        model.get_parameter("embedding.weight").data.copy_(vectors)
    return model


def _reads_sentences(architecture: str) -> bool:
    """Whether the model takes the numbers of the sentences with the ids."""
    return architectures()[architecture].reads_sentences


def rows_as_read(
    arrays: Arrays, settings: ClassifierSettings
) -> tuple[Vocabulary, list[NDArray[np.int64]], list[NDArray[np.int64]]]:
    """Return the vocabulary, the whole training texts as the model takes them, and the test texts that are logged."""
    logged = rows_of(arrays, LOGGED) if settings.fit.moments and f"{LOGGED}.values" in arrays else []
    return vocabulary_of(arrays, "vocabulary"), rows_of(arrays, "ids"), logged


def _held_out(arrays: Arrays, settings: ClassifierSettings) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the positions of the texts to train on, and of those to choose the epoch on."""
    if "held_out" in arrays:
        return np.flatnonzero(arrays["held_out"] == 0), np.flatnonzero(arrays["held_out"] == 1)
    return held_out(arrays["labels"], len(settings.class_names), settings.validation, settings.validation_gap)


def _finish(folder: Path, options: Options) -> None:
    """Measure the test split, once and all processes together; the first one writes answers, card and manifest.

    What every epoch says of the kept documents is written; then those epochs are set aside whose weights are not kept.
    """
    run = Run.open(folder)
    accelerator = accelerator_for(options.device)
    corpus = corpus_named(run.corpus["name"])
    reviews = labelled_texts(corpus.name, "test")
    options.say(f"Evaluating epoch {run.best_epoch} on {len(reviews.texts):,} test texts")
    ids = encoded(run.vocabulary, reviews.texts, sentences=_reads_sentences(run.architecture))
    metrics = {
        "validation": {**run.metrics["validation"], "documents": run.corpus["validation"]},
        "test": _on_test(run, ids, reviews.labels, options),
        **_with_gaps(run, ids, reviews.labels, options),
    }
    if not accelerator.is_main_process:
        return
    worded = np.flatnonzero([len(text) for text in ids])
    kept = worded[balanced_sample(reviews.labels[worded], run.recipe["kept_documents"])]
    names, epochs = [reviews.ids[position] for position in kept], _kept(run)
    shown = [ids[position] for position in kept]
    write_documents(run, names, reviews.labels[kept], reviews.ratings[kept], shown, _surveyed(run))
    finish_log(run, reviews.ids)
    if epochs != run.epochs:
        for path in folder.glob("*.safetensors"):
            shutil.copyfile(path, folder / f"{_ASIDE}{path.name}{_WHOLE}")
        keep_only(folder, epochs)
    run = replace(measured(run, corpus, metrics, test=len(reviews.texts)), epochs=epochs)
    write_card(run, corpus, architectures()[run.architecture].source)
    run.save()


def _on_test(
    run: Run, ids: Sequence[NDArray[np.int64]], labels: NDArray[np.int8], options: Options
) -> dict[str, float]:
    """Return what the best epoch reaches on the test split; one process keeps its answers for the predictions.

    Raises:
        TrainingError: if it was asked about other documents where it was fitted.
    """
    if accelerator_for(options.device).num_processes > 1:
        return _measure(run, ids, labels, options)
    trained = _placed(run, options)
    answered = kept_answers(run.folder)
    if answered is None:
        answered = Answered(exact_probabilities(trained, ids), {})
        keep_answers(run.folder / USED, answered)
    if len(answered.best) != len(ids):
        raise TrainingError(f"The stored predictions of {run.name} do not match the documents of its corpus.")
    return _reached(answered.best, labels) | _skipped(trained, ids, labels, options)


def _placed(run: Run, options: Options, epoch: int | None = None) -> TrainedModel:
    """Return a network at ``epoch``, None for the best one, on the device that was asked for."""
    trained = run.load(epoch)
    trained.module.to(accelerator_for(options.device).device)
    return trained


def _reached(found: NDArray[np.float64], labels: NDArray[np.int8]) -> dict[str, float]:
    """Return accuracy and loss (nats) of probabilities (N, K)."""
    of_labels = np.maximum(found[np.arange(len(labels)), labels], np.finfo(np.float64).tiny)
    right = found.argmax(axis=1) == labels
    if not len(labels):
        return {"accuracy": 0.0, "loss": 0.0, "documents": 0}
    return {"accuracy": float(right.mean()), "loss": float(-np.log(of_labels).mean()), "documents": len(labels)}


def _with_gaps(
    run: Run, ids: Sequence[NDArray[np.int64]], labels: NDArray[np.int8], options: Options
) -> dict[str, dict[str, float]]:
    """Return what a network reaches that was trained on texts with gaps, where words of the test texts are left out."""
    whole, measured = Labelled([text[: run.max_length] for text in ids], labels), {}
    for share in _GAPS if run.recipe["fit"].get("gaps") else ():
        rows = [row.astype(np.int64) for row in whole.with_gaps(np.random.default_rng(run.seed), share).ids]
        measured[f"test, {share:.0%} of the words left out"] = _measure(run, rows, labels, options)
    return measured


def lightened(run: Run, most: int) -> Run:
    """Return a fitted run of at most so many bytes of weights, or without those of the epochs that it does not keep.

    What these say of the kept documents is not written then.
    """
    epochs = _kept(run)
    weights = sum(path.stat().st_size for path in run.folder.glob("*.safetensors"))
    if weights <= most or epochs == run.epochs:
        return run
    keep_only(run.folder, epochs)
    return replace(run, epochs=epochs).save()


def _kept(run: Run) -> tuple[int, ...]:
    """Return the epochs whose weights the run keeps, of all that were trained."""
    return kept_of(run.recipe["kept_epochs"], run.epochs, run.best_epoch)


def _surveyed(run: Run) -> tuple[int, ...]:
    """Return the epochs that are mapped and surveyed, of those that the run keeps."""
    return kept_of(run.recipe["surveyed_epochs"], _kept(run), run.best_epoch)


def _measure(
    run: Run, ids: Sequence[NDArray[np.int64]], labels: NDArray[np.int8], options: Options, epoch: int | None = None
) -> dict[str, float]:
    accelerator, trained = accelerator_for(options.device), _placed(run, options, epoch)
    skipping = _skipped(trained, ids, labels, options)
    if accelerator.num_processes == 1:
        return _reached(exact_probabilities(trained, ids), labels) | skipping
    measured = measure(trained.module, _read(run, ids, labels), accelerator)
    return {"accuracy": measured.accuracy, "loss": measured.loss, "documents": len(ids), **skipping}


def _skipped(
    trained: TrainedModel, ids: Sequence[NDArray[np.int64]], labels: NDArray[np.int8], options: Options
) -> dict[str, float]:
    """Return the share of the words at which a network updates its state; nothing of one that skips none."""
    if not isinstance(trained.module, SkipsWords):
        return {}
    read, accelerator = _read(trained.run, ids, labels), accelerator_for(options.device)
    return {"updates": updated_share(trained.module, read, accelerator)}


def _read(run: Run, ids: Sequence[NDArray[np.int64]], labels: NDArray[np.int8]) -> Labelled:
    return Labelled([text[: run.max_length] for text in ids], labels)


classifier_recipe = Family(
    encode=_encode,
    fit=_fit,
    finish=_finish,
    evaluate=evaluate,
    reads=_reads,
    begins=lambda settings: settings.fit.starts_from,
    one_process=False,
    own_vectors=False,
).recipe
