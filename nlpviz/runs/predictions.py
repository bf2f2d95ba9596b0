"""What a classifier predicts for every test document, written and read: ``predictions.parquet``, next to its weights.

A row for each test document of the corpus: its id, its label, and for each kept epoch the class that is predicted
(``predicted.07``) with its probability (``probability.07``). Where texts may state a rating, ``rated`` says how many of
its tokens are read, and ``masked.predicted`` and ``masked.probability`` are those of the best epoch with every rating
masked. A run without epochs has epoch 0. Probabilities are in 65,535ths, which near one are finer than half precision.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from nlpviz.results.predictions import MaskedPredictions, Predicted, Predictions
from nlpviz.runs.files import write_table
from nlpviz.runs.run import Run, RunError

PREDICTIONS = "predictions.parquet"
RATINGS_MASKED = "test, ratings masked"
"""Among a run's metrics: the test split's with every rating masked, and how many answers were lost and gained."""
STEPS = 65_535
"""A probability is kept in so many steps."""
_MASKED = "masked."


def write_predictions(
    folder: Path,
    ids: Sequence[str],
    labels: NDArray[np.integer],
    by_epoch: Mapping[int, Predicted],
    masked: Predicted | None = None,
    rated: NDArray[np.integer] | None = None,
) -> None:
    """Write the predictions for all test documents into a run's folder.

    Args:
        folder: the run's.
        ids: of the N documents.
        labels: (N,).
        by_epoch: the answers of each kept epoch; those of epoch 0 where there are none.
        masked: the best epoch's answers with every rating masked; None where texts state no ratings.
        rated: (N,), how many tokens of ratings are read in each; None where ``masked`` is.
    """
    import pyarrow as pa

    columns = {"id": pa.array(list(ids)), "label": pa.array(labels.astype(np.int16))}
    if masked is not None and rated is not None:
        columns |= {"rated": pa.array(rated.astype(np.int16)), **_packed(masked, _MASKED, "")}
    for epoch, predicted in by_epoch.items():
        columns |= _packed(predicted, "", f".{epoch:02d}")
    write_table(folder / PREDICTIONS, columns)


def predictions_of(run: Run, epoch: int | None = None) -> Predictions:
    """Return a classifier's predictions for every test document of its corpus.

    Args:
        run: a classifier's run.
        epoch: a stored epoch; None selects the best epoch.

    Returns:
        For each of the N test documents, its id, its label, the predicted class and the probability of that class.

    Raises:
        RunError: if the run stores no predictions, does not store this epoch, or the file is damaged.

    Example:
        >>> from nlpviz.runs import open_run
        >>> from nlpviz.runs.predictions import predictions_of
        >>> predictions = predictions_of(open_run("imdb-cnn"))
        >>> len(predictions.ids)
        25000
        >>> print(predictions.right.mean().round(3))
        0.907
    """
    epoch = run.best_epoch if epoch is None or not run.epochs else run.check_surveyed(epoch)
    ids, labels = run.kept("predicted documents", _documents)
    predicted = run.kept(f"predictions {epoch}", lambda own: _read(own, "", f".{epoch:02d}"))
    return Predictions(run.name, epoch, ids, labels, predicted)


def masked_predictions(run: Run) -> MaskedPredictions | None:
    """Return what the best epoch predicts for every test document with all ratings masked, and as they are.

    None where the texts of the corpus state no ratings.

    Raises:
        RunError: if nobody asked, or the file is damaged.
    """
    plain = predictions_of(run)
    if RATINGS_MASKED not in run.metrics:
        return None
    (rated,) = run.kept("rated documents", lambda own: _columns(own, ["rated"]))
    return MaskedPredictions(plain, run.kept("masked predictions", lambda own: _read(own, _MASKED)), rated)


def levels_of(probabilities: NDArray[np.floating]) -> NDArray[np.uint16]:
    """Return probabilities in :data:`STEPS` steps, in their shape."""
    return np.asarray(np.rint(probabilities * STEPS).astype(np.uint16))


def _packed(predicted: Predicted, before: str, after: str) -> dict[str, object]:
    import pyarrow as pa

    return {
        f"{before}predicted{after}": pa.array(predicted.classes.astype(np.int16)),
        f"{before}probability{after}": pa.array(levels_of(predicted.probabilities)),
    }


def _read(run: Run, before: str, after: str = "") -> Predicted:
    classes, levels = _columns(run, [f"{before}predicted{after}", f"{before}probability{after}"])
    return Predicted(classes, (levels / np.float32(STEPS)).astype(np.float32))


def _documents(run: Run) -> tuple[tuple[str, ...], NDArray[np.int16]]:
    (labels,) = _columns(run, ["label"])
    return tuple(run.table(PREDICTIONS, ["id"])["id"].to_pylist()), labels


def _columns(run: Run, names: list[str]) -> list[NDArray[np.int16]]:
    if PREDICTIONS not in run.files:
        raise RunError(
            f"The run {run.name!r} has no stored predictions for its test documents. Run `python -m nlpviz "
            f"survey {run.name}`."
        )
    table = run.table(PREDICTIONS, names)
    return [table[name].combine_chunks().to_numpy() for name in names]
