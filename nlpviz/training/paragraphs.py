"""How a run of paragraph vectors is made: training of word vectors, inference of texts, a regression on their vectors.

The regression is fitted to vectors of the training texts and judged on the validation texts, which choose its strength
and the epoch. Word vectors are learnt from the texts of all splits that are named, whose classes they never see. No
test text is among these: the vectors of test texts are inferred, once, by finished word vectors.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from math import isnan, nan
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np
import torch
from numpy.typing import NDArray

from nlpviz.data import corpus_named
from nlpviz.networks.architectures import architectures
from nlpviz.networks.paragraph_networks import ParagraphNetwork
from nlpviz.results.history import ParagraphEpoch
from nlpviz.runs import Run, open_run
from nlpviz.runs.epochs import kept_of, prune_checkpoints
from nlpviz.runs.history import write_history
from nlpviz.runs.paragraphs import KIND
from nlpviz.runs.run import VOCABULARY
from nlpviz.runs.weights import weights_file, write_weights
from nlpviz.text.numbered import NumberedTexts
from nlpviz.text.vocabulary import SPECIALS, UNKNOWN, Vocabulary
from nlpviz.training import Family, Options, accelerator_for
from nlpviz.training.arrays import Arrays, rows_of, vocabulary_as_arrays, vocabulary_of
from nlpviz.training.documents import balanced_sample, write_documents
from nlpviz.training.held_out import held_out
from nlpviz.training.manifest import begun, measured, paced
from nlpviz.training.paragraph_card import write_paragraph_card
from nlpviz.training.paragraph_fit import ParagraphFit, WordRows, fit, prepare
from nlpviz.training.provenance import describe
from nlpviz.training.regression import Regression, accuracy, chosen, vectors_of
from nlpviz.training.sources import Sources, reads_texts, texts_from
from nlpviz.training.texts import encoded, labelled_texts

_LARGE = 1 << 13
"""Tables of so many numbers are stored in eight bits: an epoch takes a byte a weight."""
BESIDE = "test, beside "
"""And a run's name: among the metrics, what both runs' vectors together reach."""


@dataclass(frozen=True)
class ParagraphSettings:
    """All settings of one run of paragraph vectors.

    Attributes:
        corpus: its name.
        class_names: in the order of the labels.
        architecture: a name in ``nlpviz.networks.architectures``.
        config: fields of the architecture's config, without ``vocabulary_size``.
        splits: whose texts word vectors are learnt from; the first one has the labels.
        vocabulary_size: ids in training, the two special ones included.
        kept_vocabulary: ids whose vectors the run keeps, the commonest ones: inference reads these alone.
        max_length: tokens of a text that inference reads.
        validation: labelled texts held out, to choose the epoch and the strength of the regression on.
        kept_documents: test texts whose vectors the run keeps.
        measured: epochs after which texts are inferred and the regression is fitted; the last one is.
        kept_epochs: of these, whose weights the run keeps besides the chosen one.
        strengths: C of the regression, among which the validation texts choose.
        beside: another such run: with both vectors in a row, the regression is judged once more; empty for none.
        fit: of the training.
        on_gpu: what is changed where a GPU computes, as :func:`nlpviz.training.changed` takes it.
    """

    corpus: str
    class_names: tuple[str, ...]
    architecture: str
    config: Mapping[str, Any]
    splits: tuple[str, ...] = ("train",)
    vocabulary_size: int = 20_002
    kept_vocabulary: int = 10_002
    max_length: int = 400
    validation: int = 2_500
    kept_documents: int = 2_000
    measured: tuple[int, ...] = (0, 1)
    kept_epochs: tuple[int, ...] = (0,)
    strengths: tuple[float, ...] = (0.003, 0.01, 0.03, 0.1, 0.3, 1.0)
    beside: str = ""
    fit: ParagraphFit = field(default_factory=ParagraphFit)
    on_gpu: Mapping[str, Any] = field(default_factory=dict)


def evaluate(run_name: str, options: Options, epoch: int | None = None) -> dict[str, float]:
    """Return the accuracy and the loss (nats) of an epoch, by default the best one, on a run's inferred test texts."""
    run = open_run(run_name)
    test = labelled_texts(run.corpus["name"], "test")
    vectors = vectors_of(_network(run, epoch, options), encoded(run.vocabulary, test.texts), run.max_length)
    return _judged(run, epoch, vectors, test.labels)


def _encode(settings: ParagraphSettings, sources: Sources, _: Options) -> Arrays:
    """Return the texts of all splits as ids, their words, and the labels of the first split."""
    splits = [texts_from(sources, settings.corpus, split) for split in settings.splits]
    texts = NumberedTexts.together([split.texts for split in splits])
    vocabulary = texts.vocabulary(settings.vocabulary_size)
    return {
        **vocabulary_as_arrays("vocabulary", vocabulary),
        "ids.values": texts.ids_in(vocabulary),
        "ids.lengths": texts.lengths,
        "labels": splits[0].labels,
    }


class _Held(NamedTuple):
    """Labelled texts as ids, their labels, and which are trained on and which held out."""

    rows: Sequence[NDArray[np.int64]]
    labels: NDArray[np.int8]
    train: NDArray[np.int64]
    validation: NDArray[np.int64]


def _fit(settings: ParagraphSettings, title: str, arrays: Arrays, folder: Path, options: Options) -> None:
    """Learn word vectors, and after some epochs infer the labelled texts and fit the regression to their vectors."""
    accelerator = accelerator_for(options.device)
    loop, labels = settings.fit, arrays["labels"]
    vocabulary, rows = vocabulary_of(arrays, "vocabulary"), rows_of(arrays, "ids")
    kept = _commonest(vocabulary, settings.kept_vocabulary)
    kept.save(folder / VOCABULARY)
    known = [row[row >= len(SPECIALS)] for row in rows]
    texts = WordRows(np.concatenate(known), np.array([len(row) for row in known]))
    read = [np.where(row < len(kept), row, UNKNOWN) for row in rows[: len(labels)]]
    held = _Held(read, labels, *held_out(labels, len(settings.class_names), settings.validation))
    torch.manual_seed(loop.seed)
    network, reader = (_untrained(settings, len(words)).to(accelerator.device) for words in (vocabulary, kept))
    prepare(network, np.asarray(vocabulary.counts), loop)
    options.say(f"Training on {len(known):,} texts of {len(texts.ids):,} known words")
    records = []
    for done in fit(network, texts, loop):
        found = None
        if done.number in settings.measured or done.number == loop.epochs:
            _take_rows(reader, network)
            found = _regressed(reader, held, settings)
            write_weights(folder / weights_file(done.number), reader.state_dict(), eight_bits=True, large=_LARGE)
        records.append(_record(done.number, done.loss, done.seconds, found))
        options.say(_line(records[-1], len(texts.ids)))
    write_history(folder, records)
    trained = {"train": len(held.train), "validation": len(held.validation), "unlabelled": len(known) - len(labels)}
    judged = [record for record in records if not isnan(record.validation_accuracy)]
    best = max(judged, key=lambda record: record.validation_accuracy)
    epochs = kept_of(settings.kept_epochs, [record.epoch for record in judged], best.epoch)
    prune_checkpoints(folder, epochs, eight_bits=True, large=_LARGE)
    run = replace(
        begun(folder, title, KIND, settings, ("config", "class_names", "corpus", "on_gpu")),
        config=asdict(cast("Any", reader.config)),
        epochs=epochs,
        best_epoch=best.epoch,
        parameters=tuple(reader.parameter_terms()),
        metrics={"validation": {"accuracy": best.validation_accuracy, "strength": best.strength}},
        corpus={"name": settings.corpus, **trained},
        device=describe(accelerator.device),
    )
    paced(run, records).save()


def _untrained(settings: ParagraphSettings, size: int) -> ParagraphNetwork:
    """Return a network of so many ids before training."""
    architecture = architectures()[settings.architecture]
    config = architecture.config(vocabulary_size=size, classes=len(settings.class_names), **settings.config)
    return cast("ParagraphNetwork", architecture.build(config)).eval()


def _commonest(vocabulary: Vocabulary, size: int) -> Vocabulary:
    """Return the words of the first ``size`` ids."""
    some = slice(len(SPECIALS), size)
    return Vocabulary(vocabulary.words[some], vocabulary.counts[some].tolist())


@torch.no_grad()
def _take_rows(reader: ParagraphNetwork, network: ParagraphNetwork) -> None:
    """Give a network that keeps fewer words their vectors, and what is known of them."""
    trained, size = network.state_dict(), reader.config.vocabulary_size
    for name, tensor in reader.state_dict().items():
        if not name.startswith("judge."):
            tensor.copy_(trained[name][:size])


def _regressed(network: ParagraphNetwork, held: _Held, settings: ParagraphSettings) -> Regression:
    """Fit the network's regression to the vectors of the training texts, and return how that went."""
    vectors = vectors_of(network, held.rows, settings.max_length)
    train, validation = ((vectors[some], held.labels[some]) for some in (held.train, held.validation))
    found = chosen(train, validation, settings.strengths)
    with torch.no_grad():
        network.judge.weight.copy_(torch.from_numpy(found.weights))
        network.judge.bias.copy_(torch.from_numpy(found.biases))
    return found


def _record(number: int, loss: float, seconds: float, found: Regression | None) -> ParagraphEpoch:
    if found is None:
        return ParagraphEpoch(number, loss, nan, nan, nan, seconds)
    return ParagraphEpoch(number, loss, found.train, found.validation, found.strength, seconds)


def _line(record: ParagraphEpoch, words: int) -> str:
    """Return the progress line after an epoch."""
    pace = f" loss {record.train_loss:.3f}, {words / record.seconds:,.0f} words per second" if record.seconds else ""
    if isnan(record.validation_accuracy):
        return f"epoch {record.epoch}:{pace}"
    return f"epoch {record.epoch}:{pace} validation {record.validation_accuracy:.2%}, C {record.strength:g}"


def _finish(folder: Path, options: Options) -> None:
    """Infer the test texts once, judge them, write what is kept of some, and judge both vectors beside another run."""
    run = Run.open(folder)
    corpus = corpus_named(run.corpus["name"])
    test = labelled_texts(corpus.name, "test")
    options.say(f"Inferring the vectors of {len(test.texts):,} test texts at epoch {run.best_epoch}")
    ids = encoded(run.vocabulary, test.texts)
    vectors = vectors_of(_network(run, None, options), ids, run.max_length)
    metrics = {
        "validation": {**run.metrics["validation"], "documents": run.corpus["validation"]},
        "test": _judged(run, None, vectors, test.labels),
    }
    if beside := run.recipe["beside"]:
        options.say(f"Evaluating the vectors, concatenated with those of {beside}")
        metrics[BESIDE + beside] = _together(run, open_run(beside), vectors, options)
    worded = np.flatnonzero([len(text) for text in ids])
    kept = worded[balanced_sample(test.labels[worded], run.recipe["kept_documents"])]
    names, shown = [test.ids[position] for position in kept], [ids[position] for position in kept]
    write_documents(run, names, test.labels[kept], test.ratings[kept], shown, run.epochs)
    run = measured(run, corpus, metrics, test=len(test.texts))
    write_paragraph_card(run, corpus, architectures()[run.architecture].source)
    run.save()


def _network(run: Run, epoch: int | None, options: Options) -> ParagraphNetwork:
    return cast("ParagraphNetwork", run.load(epoch).module.to(accelerator_for(options.device).device))


def _judged(run: Run, epoch: int | None, vectors: NDArray[np.float32], labels: NDArray[np.int8]) -> dict[str, float]:
    """Return what the regression of an epoch makes of vectors (N, E)."""
    judge = cast("ParagraphNetwork", run.load(epoch).module).judge
    return accuracy(judge.weight.numpy(), judge.bias.numpy(), vectors, labels)


def _together(run: Run, other: Run, of_test: NDArray[np.float32], options: Options) -> dict[str, float]:
    """Return what a regression reaches on the vectors of two runs in a row, its strength chosen as each one's.

    Each run's vectors are brought to one spread by what the regression is fitted to, test texts' as well.
    """
    train, test = (labelled_texts(run.corpus["name"], split) for split in ("train", "test"))
    fitted, held = held_out(train.labels, len(run.class_names), run.recipe["validation"])

    def vectors(of: Run, texts: Sequence[str]) -> NDArray[np.float32]:
        return vectors_of(_network(of, None, options), encoded(of.vocabulary, texts), of.max_length)

    columns = [vectors(run, train.texts), vectors(other, train.texts)]
    scales = [float(column[fitted].std()) or 1.0 for column in columns]
    rows, tested = (
        np.concatenate([column / scale for column, scale in zip(some, scales, strict=True)], axis=1)
        for some in (columns, [of_test, vectors(other, test.texts)])
    )
    found = chosen(
        (rows[fitted], train.labels[fitted]), (rows[held], train.labels[held]), tuple(run.recipe["strengths"])
    )
    measured = accuracy(found.weights, found.biases, tested, test.labels)
    return {**measured, "validation": found.validation, "strength": found.strength}


paragraph_recipe = Family(
    encode=_encode,
    fit=_fit,
    finish=_finish,
    evaluate=evaluate,
    reads=lambda settings: reads_texts(settings.corpus, *settings.splits),
    needs=lambda settings: tuple(filter(None, [settings.beside])),
).recipe
