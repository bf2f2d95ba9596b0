"""The log of a classifier's training: which texts it covers, what is written, and when the texts get their ids.

For a run that was made without a log, the log of whole epochs can be computed from the weights that it keeps.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from nlpviz.networks.architectures import architectures
from nlpviz.results.training_log import Role
from nlpviz.runs import Run
from nlpviz.runs.files import write_whole
from nlpviz.runs.training_log import keeps_all, missing, write_training_log
from nlpviz.training import TrainingError, accelerator_for
from nlpviz.training.batches import Labelled, bucketed
from nlpviz.training.held_out import parted
from nlpviz.training.log import Moment, ask
from nlpviz.training.measures import ASKED
from nlpviz.training.texts import encoded, labelled_texts

FITTED = "training-log.npz"
"""What a fit has logged: it travels with the run to where the corpus is, and becomes a table there."""


def parts_of(train: NDArray[np.integer], validation: NDArray[np.integer], count: int, test: int) -> NDArray[np.uint8]:
    """Return what each document is to a training: ``count`` of the training split, then ``test`` of the test split."""
    parts = np.full(count + test, Role.LEFT_OUT, dtype=np.uint8)
    parts[train], parts[validation], parts[count:] = Role.TRAINED, Role.HELD_OUT, Role.TEST
    return parts


def keep_fitted(
    folder: Path, said: Sequence[Moment], moments: Sequence[float], documents: Mapping[str, NDArray[np.integer]]
) -> None:
    """Write what a fit has logged into a run's folder, without the ids, which it does not know.

    Args:
        folder: the run's.
        said: of N documents, at each of M moments.
        moments: in epochs.
        documents: ``label``, ``part`` and ``tokens`` of the documents.
    """
    levels, predicted = _stacked(said)
    label, part, tokens = (documents[name].astype(np.int32) for name in ("label", "part", "tokens"))
    at = np.array(moments)

    def save(path: Path) -> None:
        with path.open("wb") as stream:  # a path would be given an ending
            np.savez_compressed(
                stream, levels=levels, predicted=predicted, moments=at, label=label, part=part, tokens=tokens
            )

    write_whole(folder / FITTED, save)


def finish_log(run: Run, test: Sequence[str]) -> None:
    """Write the log of a fit, where it kept one, with the ids of its documents; ``test`` are those of the test split.

    Raises:
        TrainingError: if it is of other documents than the corpus has.
    """
    if not (run.folder / FITTED).exists():
        return
    train = labelled_texts(run.corpus["name"], "train").ids
    with np.load(run.folder / FITTED, allow_pickle=False) as fitted:
        documents = {name: fitted[name] for name in ("label", "part", "tokens")}
        levels, predicted, moments = fitted["levels"], fitted["predicted"], fitted["moments"].tolist()
    count = levels.shape[1]
    if count not in (len(train), len(train) + len(test)):
        raise TrainingError(f"The training log of {run.name} does not match the documents of its corpus.")
    classes = predicted if len(run.class_names) > 2 else None
    write_training_log(run.folder, moments, levels, classes, documents, [*train, *test][:count])
    (run.folder / FITTED).unlink()


def log_kept_epochs(run: Run, say: Callable[[str], None] = lambda _: None) -> Run:
    """Write the log of whole epochs from the weights of a run that keeps them all; return the run as it is now.

    Weights are kept in eight or sixteen bits a number, so that a probability may differ a little from the training's.

    Raises:
        TrainingError: if the run does not keep every epoch.
        DataError: if its corpus is not on this machine.
    """
    if not keeps_all(run):
        raise TrainingError(missing(run))
    train, test = (labelled_texts(run.corpus["name"], split) for split in ("train", "test"))
    recipe = run.recipe
    positions = parted(train, len(run.class_names), recipe["validation"], recipe.get("validation_gap", 0))
    sentences = architectures()[run.architecture].reads_sentences
    rows = encoded(run.vocabulary, [*train.texts, *test.texts], sentences=sentences)
    labels = np.concatenate([train.labels, test.labels])
    texts = Labelled([row[: run.max_length] for row in rows], labels)
    batches = bucketed(np.array([len(row) for row in texts.ids], dtype=np.int64), ASKED, None)
    said = []
    for epoch in run.epochs:
        say(f"Classifying {len(texts):,} training and test texts with epoch {epoch}")
        said.append(ask(run.load(epoch).module, texts, batches, accelerator_for("cpu"))[0])
    documents = {
        "label": labels,
        "part": parts_of(*positions, len(train.labels), len(test.labels)),
        "tokens": np.array([len(row) for row in rows]),
    }
    moments = [float(epoch) for epoch in run.epochs]
    levels, predicted = _stacked(said)
    several = predicted if len(run.class_names) > 2 else None
    write_training_log(run.folder, moments, levels, several, documents, [*train.ids, *test.ids])
    return run.save()


def _stacked(said: Sequence[Moment]) -> tuple[NDArray[np.uint8], NDArray[np.int16]]:
    """Return levels and predicted classes of all moments, (M, N) each."""
    return np.stack([moment.levels for moment in said]), np.stack([moment.predicted for moment in said])
