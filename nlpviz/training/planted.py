"""A training with some labels deliberately flipped: does a ranking of suspects find them?

The test of Pleiss, Zhang, Elenberg and Weinberger (2020), section 4, and of Swayamdipta et al. (2020), section 5:
labels are flipped at random, so that it is known which are wrong. Real wrong ones are not random, and may be harder to
find.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nlpviz.results.cartography import Cartography, most_suspect
from nlpviz.results.history import EpochRecord
from nlpviz.results.planted import RANKINGS, PlantedFlips, ranks_of
from nlpviz.results.training_log import Role
from nlpviz.runs import Run
from nlpviz.runs.history import read_history
from nlpviz.runs.training_log import training_log
from nlpviz.training import Options, Recipe, TrainingError
from nlpviz.training.arrays import Arrays
from nlpviz.training.batches import Labelled
from nlpviz.training.classifier import ClassifierSettings, classifier_recipe, rows_as_read
from nlpviz.training.held_out import held_out
from nlpviz.training.logged import finish_log


@dataclass(frozen=True)
class Planting:
    """What is flipped, and how it is trained on.

    Attributes:
        share: of the documents that are trained on.
        seed: draws them, and of more than two classes the label that each gets.
        moments: how often an epoch they are asked about.
    """

    share: float = 0.05
    seed: int = 0
    moments: int = 4


Ranked = Callable[[Run, Labelled], NDArray[np.floating] | None]
"""Returns how suspect each document is by what the network of a run makes of it (N,); None where it cannot be said."""


def plant(
    recipe: Recipe, planting: Planting, folder: Path, options: Options, besides: Mapping[str, Ranked] | None = None
) -> PlantedFlips:
    """Train a classifier's recipe with flipped labels in ``folder``, and return where rankings put the flips.

    A stopped training goes on. Test texts are not read; the validation texts keep their labels.

    Args:
        recipe: a classifier's.
        planting: what is flipped.
        folder: for the training.
        options: of the training.
        besides: more rankings than those that are read off the log, by a name of ``RANKINGS``.

    Raises:
        TrainingError: if the recipe trains no classifier, or nothing would be flipped.
        DataError: if its corpus is not on this machine.
    """
    settings = recipe.settings
    if not isinstance(settings, ClassifierSettings):
        raise TrainingError(f"{recipe.name} does not train a classifier, so it has no labels to flip.")
    quiet, asking = (
        classifier_recipe(recipe.name, recipe.title, _asked(settings, moments)) for moments in (0, planting.moments)
    )
    arrays, positions = flipped(_encoded(quiet, folder, options), len(settings.class_names), settings, planting)
    options.say(f"Flipped {len(positions):,} training labels")
    folder.mkdir(parents=True, exist_ok=True)
    if asking.stages is None or quiet.stages is None:
        raise TrainingError(f"{recipe.name} is not trained by gradient descent.")
    asking.stages.fit(arrays, folder, options)
    finish_log(Run.open(folder), ())
    run = Run.open(folder).save()
    log = training_log(run)
    trained = np.flatnonzero(log.parts == Role.TRAINED)
    found = Cartography.of(log.take(trained))
    among = np.searchsorted(trained, positions)
    scores = {"confidence": -found.confidence, "margin": -found.margin, "loss": found.loss}
    read = Labelled([row[: run.max_length] for row in rows_as_read(arrays, quiet.settings)[1]], arrays["labels"])
    for name, ranked in (besides or {}).items():
        options.say(f"Ranking {len(trained):,} documents by {RANKINGS[name]}")
        if (score := ranked(run, read.take(trained))) is not None:
            scores[name] = score
    return PlantedFlips(
        run=recipe.name,
        share=planting.share,
        seed=planting.seed,
        documents=len(trained),
        moments=tuple(found.moments.tolist()),
        accuracy=read_history(run, EpochRecord)[-1].validation_accuracy,
        ids=log.take(positions).ids,
        ranks={name: ranks_of(most_suspect(score), among) for name, score in scores.items()},
    )


def flipped(
    arrays: Arrays, classes: int, settings: ClassifierSettings, planting: Planting
) -> tuple[dict[str, NDArray[Any]], NDArray[np.int64]]:
    """Return the data of a fit with flipped labels, and the positions, ascending, of the flipped documents.

    Which texts are held out is settled by the labels as they were.

    Raises:
        TrainingError: if nothing would be flipped.
    """
    labels = np.array(arrays["labels"])
    if "held_out" in arrays:
        train, held = (np.flatnonzero(arrays["held_out"] == value) for value in (0, 1))
    else:
        train, held = held_out(labels, classes, settings.validation, settings.validation_gap)
    count = round(planting.share * len(train))
    if not 0 < count < len(train):
        raise TrainingError(f"A share of {planting.share:g} flips none or all of the {len(train):,} labels.")
    rng = np.random.default_rng(planting.seed)
    positions = np.sort(rng.choice(train, size=count, replace=False))
    labels[positions] = (labels[positions] + rng.integers(1, classes, size=count)) % classes
    parts = np.full(len(labels), 2, dtype=np.int8)  # neither is trained on nor held out: those beside the border
    parts[train], parts[held] = 0, 1
    return {**arrays, "labels": labels, "held_out": parts}, positions


def _encoded(recipe: Recipe, folder: Path, options: Options) -> Arrays:
    if recipe.stages is None:
        raise TrainingError(f"{recipe.name} is not trained by gradient descent.")
    return recipe.stages.from_corpus(folder, options)


def _asked(settings: ClassifierSettings, moments: int) -> ClassifierSettings:
    """Return settings that ask so many times an epoch, and keep no more weights than they must."""
    return replace(settings, kept_epochs=(0,), fit=replace(settings.fit, moments=moments, patience=settings.fit.epochs))
