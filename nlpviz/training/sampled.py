"""The texts of many short trainings: a sample of a corpus, only their first words, drawn once and kept in a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nlpviz.networks.architectures import architectures
from nlpviz.runs import Run
from nlpviz.runs.files import write_whole
from nlpviz.training import TrainingError
from nlpviz.training.arrays import rows_as_arrays, rows_of
from nlpviz.training.classifier import ClassifierSettings
from nlpviz.training.held_out import parted
from nlpviz.training.texts import encoded, labelled_texts

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
        rate: by which the recipe's learning rate is multiplied: few steps want larger ones.
    """

    texts: int = 4_000
    validation: int = 800
    test: int = 3_000
    tokens: int = 150
    epochs: int = 2
    rate: float = 2.5


@dataclass(frozen=True)
class ShortTexts:
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
    def load(cls, path: Path) -> ShortTexts:
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
        raise TrainingError(
            f"{run.name} has no recipe to retrain it; ROAR needs a neural text classifier with a recipe."
        )
    return settings


def drawn(run: Run, short: Shortened) -> ShortTexts:
    """Return the texts of a run's corpus that are trained on, held out and asked, the same ones at each call.

    Raises:
        TrainingError: if no recipe trains the run.
        DataError: if the corpus is not on this machine.
    """
    settings, rng = settings_of(run), np.random.default_rng(0)
    train, test = labelled_texts(settings.corpus, "train"), labelled_texts(settings.corpus, "test")
    fitted, validation = parted(train, len(settings.class_names), settings.validation, settings.validation_gap)
    pools = ((fitted, short.texts), (validation, short.validation), (np.arange(len(test.texts)), short.test))
    takes = [np.sort(rng.permutation(pool)[:most]) for pool, most in pools]
    of_train = np.concatenate(takes[:2])
    texts = [*(train.texts[at] for at in of_train), *(test.texts[at] for at in takes[2])]
    sentences = architectures()[run.architecture].reads_sentences
    rows = [row[: short.tokens] for row in encoded(run.vocabulary, texts, sentences=sentences)]
    labels = np.concatenate([train.labels[of_train], test.labels[takes[2]]])
    parts = np.repeat(np.array([TRAINED, HELD_OUT, TEST], dtype=np.int8), [len(taken) for taken in takes])
    return ShortTexts(rows, labels, parts, tuple(test.ids[at] for at in takes[2]))
