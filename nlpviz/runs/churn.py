"""Predictions on the same test documents: by a corpus's classifiers, their other seeds, or one training's epochs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from nlpviz.results.churn import Answering, Churn, seeds_churn
from nlpviz.results.predictions import Predicted
from nlpviz.results.training_log import Role
from nlpviz.runs.documents import DOCUMENTS, documents_of, every_epoch_of, predicts
from nlpviz.runs.more_seeds import more_seeds
from nlpviz.runs.predictions import PREDICTIONS, predictions_of
from nlpviz.runs.run import Run, RunError
from nlpviz.runs.seeds import of_another_seed
from nlpviz.runs.training_log import TRAINING_LOG, training_log
from nlpviz.stats.significance import Interval

_MANY = 16
"""Moments of a training beyond which whole epochs alone are compared."""


def churn_of_networks(run: Run, others: Sequence[Run]) -> Churn:
    """Return on which test documents a run, other runs on its corpus and seeds kept with them disagree.

    Each answers at its best epoch, the run itself first. A run that was asked about other documents is left out.

    Raises:
        RunError: if the run keeps no predictions, or a file is damaged.
    """
    own = predictions_of(run)
    alike = [
        one
        for one in others
        if one.name != run.name and PREDICTIONS in one.files and one.corpus.get("name") == run.corpus.get("name")
    ]
    there = [run, *(one for one in alike if predictions_of(one).ids == own.ids and one.class_names == run.class_names)]
    answering: list[Answering] = []
    for place, one in enumerate(there):
        twin = of_another_seed(one, there[:place])
        recipe = next((each.recipe for each in answering if twin is not None and each.key == twin.name), one.name)
        answering.append(_answering(one.name, one.title, recipe, predictions_of(one).predicted))
        answering += [
            _answering(f"{one.name} seed {seed.seed}", f"{one.title}, seed {seed.seed}", recipe, seed.predicted)
            for seed in more_seeds(one)
        ]
    return Churn(own.ids, own.labels, run.class_names, tuple(answering))


def churn_of_epochs(run: Run) -> Churn:
    """Return on which test documents the moments of a run's training disagree.

    They are those of its log, over all test documents; without one, the epochs of which it keeps probabilities of some.
    The moment before training is left out, and of many moments all but whole epochs.

    Raises:
        RunError: if the run keeps neither, or a file is damaged.
    """
    logged = _logged(run)
    if logged is not None:
        return logged
    if not run.epochs:
        raise RunError(f"The run {run.name!r} was fitted in one step: it has no epochs to compare.")
    if DOCUMENTS not in run.files or not predicts(run):
        raise RunError(
            f"The run {run.name!r} has no logged probabilities per epoch. Run `python -m nlpviz "
            f"train {run.name}` to log them."
        )
    documents = documents_of(run)
    answering = [
        _answering(f"{epoch}", f"epoch {epoch}", f"{epoch}", Predicted.of(given))
        for epoch, given in sorted(every_epoch_of(run).items())
        if epoch
    ]
    return Churn(documents.ids, documents.labels, run.class_names, tuple(answering))


def _logged(run: Run) -> Churn | None:
    """Return what the log of a run says of its test documents; None without a log of two classes with test documents.

    Of more than two classes a log says whether the prediction is right, not what it is.
    """
    if TRAINING_LOG not in run.files or len(run.class_names) != 2:
        return None
    log = training_log(run).of(Role.TEST)
    if not log.ids:
        return None
    given = log.probabilities
    answering = []
    many = (log.moments > 0).sum() > _MANY
    for at, moment in enumerate(log.moments.tolist()):
        if moment == 0 or (many and moment != round(moment)):
            continue
        right = log.right[:, at]
        classes = np.where(right, log.labels, 1 - log.labels)
        certain = np.where(right, given[:, at], 1 - given[:, at]).astype(np.float32)
        answering.append(_answering(f"{moment:g}", f"epoch {moment:g}", f"{moment:g}", Predicted(classes, certain)))
    return Churn(log.ids, log.labels, run.class_names, tuple(answering))


def seeds_on(run: Run, others: Sequence[Run], ids: Sequence[str]) -> Interval | None:
    """Return the band of the churn between the seeds of a run's recipe, on the documents called ``ids``.

    None where one seed of it is known alone, or the run keeps no predictions of these documents.
    """
    if PREDICTIONS not in run.files:
        return None
    found = churn_of_networks(run, others)
    place = {name: position for position, name in enumerate(found.ids)}
    rows = [place[name] for name in ids if name in place]
    its = found.answering[0].recipe
    answering = [
        replace(one, classes=one.classes[rows], certain=one.certain[rows])
        for one in found.answering
        if one.recipe == its
    ]
    if len(answering) < 2 or not rows:
        return None
    kept = tuple(found.ids[row] for row in rows)
    return seeds_churn(Churn(kept, found.labels[rows], found.class_names, tuple(answering)))


def _answering(key: str, title: str, recipe: str, predicted: Predicted) -> Answering:
    return Answering(key, title, recipe, predicted.classes, predicted.probabilities)
