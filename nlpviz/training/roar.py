"""A network trained on texts without some of their words: remove and retrain (Hooker et al. 2019).

Trainings are many, so that each is shortened: fewer texts, their first words alone, few epochs.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlpviz.models import architectures
from nlpviz.runs import Run
from nlpviz.runs.files import write_whole
from nlpviz.text.vocabulary import SENTENCE
from nlpviz.training import Options, TrainingError
from nlpviz.training.arrays import rows_as_arrays, rows_of, vocabulary_as_arrays
from nlpviz.training.classifier import ClassifierSettings, classifier_recipe
from nlpviz.training.held_out import held_out
from nlpviz.training.predictions import probabilities
from nlpviz.training.texts import SaysHeldOut, encoded, labelled_texts

TRAINED, HELD_OUT, TEST = 0, 1, 2
"""What a text is to the trainings."""


@dataclass(frozen=True)
class Shortened:
    """How short each training is.

    Attributes:
        texts: that are trained on, at most.
        validation: texts to choose the epoch on, at most.
        test: texts that are asked, at most.
        tokens: read of each text, at most.
        epochs: at most.
    """

    texts: int = 6_000
    validation: int = 1_000
    test: int = 4_000
    tokens: int = 150
    epochs: int = 3


class Asked(NamedTuple):
    """How one training is made: how short it is, in a folder of its own, on which device, and who is told."""

    short: Shortened
    folder: Path
    options: Options


@dataclass(frozen=True)
class Sample:
    """N texts of a corpus, drawn for the trainings.

    Attributes:
        rows: each text's first tokens, as the network takes them.
        labels: (N,).
        parts: int8 (N,), what each text is.
        ids: of the test texts, in their order.
    """

    rows: Sequence[NDArray[np.int64]]
    labels: NDArray[np.integer]
    parts: NDArray[np.int8]
    ids: tuple[str, ...]

    def count(self, part: int) -> int:
        """Return how many texts are of a part."""
        return int((self.parts == part).sum())

    def save(self, path: Path) -> None:
        """Write it as numpy's npz."""
        arrays = {**rows_as_arrays("rows", self.rows), "labels": self.labels, "parts": self.parts}

        def write(partial: Path) -> None:
            with partial.open("wb") as stream:  # a path would be given an ending
                np.savez_compressed(stream, allow_pickle=False, ids=np.array(self.ids, dtype=str), **arrays)

        write_whole(path, write)

    @classmethod
    def load(cls, path: Path) -> Sample:
        """Return what :meth:`save` wrote."""
        with np.load(path, allow_pickle=False) as stored:
            arrays: Mapping[str, Any] = dict(stored)
        return cls(rows_of(arrays, "rows"), arrays["labels"], arrays["parts"], tuple(arrays["ids"].tolist()))


def settings_of(run: Run) -> ClassifierSettings:
    """Return the settings of the recipe that made a run.

    Raises:
        TrainingError: if none of the project's recipes did, or it trains no network that classifies texts.
    """
    from nlpviz.training.recipes import recipes

    settings = recipes()[run.name].settings if run.name in recipes() else None
    if not isinstance(settings, ClassifierSettings):
        raise TrainingError(f"No recipe trains {run.name} again: ROAR needs one of a network that classifies texts.")
    return settings


def drawn(run: Run, short: Shortened) -> Sample:
    """Return the texts of a run's corpus that are trained on, held out and asked, the same ones at each call.

    Raises:
        TrainingError: if no recipe trains the run.
        DataError: if the corpus is not on this machine.
    """
    settings, rng = settings_of(run), np.random.default_rng(0)
    train, test = labelled_texts(settings.corpus, "train"), labelled_texts(settings.corpus, "test")
    if isinstance(train, SaysHeldOut):
        fitted, validation = np.flatnonzero(~train.held_out), np.flatnonzero(train.held_out)
    else:
        classes = len(settings.class_names)
        fitted, validation = held_out(train.labels, classes, settings.validation, settings.validation_gap)
    pools = ((fitted, short.texts), (validation, short.validation), (np.arange(len(test.texts)), short.test))
    takes = [np.sort(rng.permutation(pool)[:most]) for pool, most in pools]
    of_train = np.concatenate(takes[:2])
    texts = [*(train.texts[at] for at in of_train), *(test.texts[at] for at in takes[2])]
    sentences = architectures()[run.architecture].reads_sentences
    rows = [row[: short.tokens] for row in encoded(run.vocabulary, texts, sentences=sentences)]
    labels = np.concatenate([train.labels[of_train], test.labels[takes[2]]])
    parts = np.repeat(np.array([TRAINED, HELD_OUT, TEST], dtype=np.int8), [len(taken) for taken in takes])
    return Sample(rows, labels, parts, tuple(test.ids[at] for at in takes[2]))


def retrained(
    run: Run, sample: Sample, rows: Sequence[NDArray[np.int64]], seed: int, asked: Asked
) -> NDArray[np.bool_]:
    """Train a run's network anew on ``rows``, and return whether it classifies each test text rightly.

    A stopped training goes on in its folder, which is gone when it is done. The epoch is chosen on the texts held out.

    Args:
        run: whose recipe and vocabulary are taken.
        sample: labels and parts of the N texts.
        rows: the N texts, masked by :mod:`nlpviz.training.masking`.
        seed: of initial weights, order and dropout.
        asked: how short the training is, its folder, its device.
    """
    short, folder, options = asked
    settings = settings_of(run)
    fit = replace(settings.fit, epochs=short.epochs, patience=short.epochs, moments=0, seed=seed)
    shortened = replace(settings, max_length=short.tokens, words_of="", fit=fit)
    stages = classifier_recipe(run.name, run.title, shortened).stages
    if stages is None:
        raise TrainingError(f"{run.name} is not trained in steps.")
    known, test = sample.parts != TEST, np.flatnonzero(sample.parts == TEST).tolist()
    read = [row for row, keep in zip(rows, known, strict=True) if keep]
    arrays = {
        **vocabulary_as_arrays("vocabulary", run.vocabulary),
        **rows_as_arrays("ids", [row % SENTENCE for row in read]),
        "labels": sample.labels[known],
        "held_out": sample.parts[known],
    }
    if architectures()[run.architecture].reads_sentences:
        arrays["sentences"] = np.concatenate([row // SENTENCE for row in read])
    folder.mkdir(parents=True, exist_ok=True)
    stages.fit(arrays, folder, options)
    made = Run.open(folder).save().load()
    predicted = probabilities(made, [rows[at] for at in test]).argmax(axis=1)
    right: NDArray[np.bool_] = predicted == sample.labels[test]
    shutil.rmtree(folder)
    return right
