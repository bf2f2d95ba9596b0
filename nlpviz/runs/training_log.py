"""A classifier's log-odds of every document during training, written and read: ``training-log.parquet``.

A row for each training document of the corpus, in its order, then for each test document: ``id``, ``label``, ``part``
(:class:`nlpviz.results.training_log.Role`), ``tokens``, and a column ``log_odds.MM`` for each moment. Log-odds, of
two classes those of the last one and else those of the document's own label, are kept in 256 levels, 1/16 nat apart,
from -8 to 8: a probability is off by 1/128 at most, and no level is zero, so that the predicted class is exact. A
column holds by how much the level has changed since the moment before it (modulo 256), which takes four fifths of the
bytes. Of more than two classes ``predicted.MM`` has the predicted one. The moments, in epochs, are in the schema's
metadata. No word of a corpus is in it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from nlpviz.results.training_log import TrainingLog
from nlpviz.runs.files import write_table
from nlpviz.runs.run import Run, RunError

TRAINING_LOG = "training-log.parquet"
LEVELS = 256
PER_NAT = 16
"""Levels of log-odds in a nat."""
_LOG_ODDS, _PREDICTED = "log_odds.", "predicted."


def levels_of(log_odds: NDArray[np.floating]) -> NDArray[np.uint8]:
    """Return log-odds as levels, in their shape: those over 127 are above zero; what is no number is even odds."""
    most = LEVELS / 2 / PER_NAT
    steps = np.ceil(np.clip(np.nan_to_num(log_odds, nan=0.0), -most, most) * PER_NAT) + (LEVELS // 2 - 1)
    return np.asarray(np.clip(steps, 0, LEVELS - 1), dtype=np.uint8)


def log_odds_of(levels: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return the log-odds in the middle of each level, in their shape."""
    return (levels.astype(np.float32) - np.float32((LEVELS - 1) / 2)) / np.float32(PER_NAT)


def write_training_log(
    folder: Path,
    moments: Sequence[float],
    levels: NDArray[np.uint8],
    predicted: NDArray[np.integer] | None,
    documents: Mapping[str, NDArray[np.integer]],
    ids: Sequence[str],
) -> None:
    """Write what was logged into a run's folder.

    Args:
        folder: the run's.
        moments: the M moments, in epochs.
        levels: (M, N), of log-odds.
        predicted: (M, N), the predicted classes; None where there are two.
        documents: ``label``, ``part`` and ``tokens`` of the N documents.
        ids: theirs.
    """
    import pyarrow as pa

    columns = {"id": pa.array(list(ids), pa.string())}
    for name, kind in (("label", np.int16), ("part", np.uint8), ("tokens", np.int32)):
        columns[name] = pa.array(documents[name].astype(kind))
    changes = np.diff(levels, axis=0, prepend=np.zeros_like(levels[:1]))
    for position, change in enumerate(changes):
        columns[f"{_LOG_ODDS}{position:02d}"] = pa.array(change)
        if predicted is not None:
            columns[f"{_PREDICTED}{position:02d}"] = pa.array(predicted[position].astype(np.int16))
    write_table(folder / TRAINING_LOG, columns, json.dumps({"moments": list(moments)}))


def training_log(run: Run) -> TrainingLog:
    """Return a classifier's log-odds for every training and test document at each logged point of training.

    The log takes up about 8 MB of memory and is cached with the run. Log-odds are stored in steps of 1/16 nat, clipped
    to −8 to 8.

    Args:
        run: a classifier's run.

    Returns:
        The log-odds of the true label of N documents at M points of training, shape (N, M), in nats. The ids, labels
        and roles of the documents (trained on, held out, left out, test) are included.

    Raises:
        RunError: if the run has no training log, or the file is damaged.

    Example:
        >>> from nlpviz.results.training_log import Role
        >>> from nlpviz.runs import open_run
        >>> from nlpviz.runs.training_log import training_log
        >>> log = training_log(open_run("imdb-cnn")).of(Role.TEST)
        >>> log.log_odds.shape
        (25000, 8)
        >>> print(log.right.mean(axis=0)[:3].round(2))
        [0.5  0.88 0.9 ]
    """
    return run.kept("training log", read_training_log)


def keeps_all(run: Run) -> bool:
    """Return whether a run keeps the weights of every epoch that was trained."""
    return run.recipe.get("kept_epochs") is None and len(run.epochs) > 1


def missing(run: Run) -> str:
    """Return the sentence that says how to create a run's missing log."""
    if keeps_all(run):
        how = f"`python -m nlpviz survey {run.name}` creates a log of its stored epochs"
    else:
        how = f"`python -m nlpviz train {run.name}` trains it again and creates a log"
    return f"The run {run.name!r} has no training log: {how}."


def read_training_log(run: Run) -> TrainingLog:
    """Return the same without caching, for queries over many runs: each log takes 8 MB.

    Raises:
        RunError: if nobody logged it, or the file is damaged.
    """
    if TRAINING_LOG not in run.files:
        raise RunError(missing(run))
    table = run.table(TRAINING_LOG)
    run.require_columns(TRAINING_LOG, ("id", "label", "part", "tokens"), table.column_names)
    moments = np.array(json.loads(_metadata(run, table.schema.metadata))["moments"], dtype=np.float32)
    run.require_columns(TRAINING_LOG, [f"{_LOG_ODDS}{at:02d}" for at in range(len(moments))], table.column_names)
    labels, parts, tokens = (table[name].combine_chunks().to_numpy() for name in ("label", "part", "tokens"))
    levels = np.zeros((len(table), len(moments)), dtype=np.uint8)
    for position in range(len(moments)):
        levels[:, position] = table[f"{_LOG_ODDS}{position:02d}"].combine_chunks().to_numpy()
    levels = np.cumsum(levels, axis=1, dtype=np.uint8)
    log_odds, last = log_odds_of(levels), levels >= LEVELS // 2
    if len(run.class_names) == 2:
        log_odds = np.where(labels[:, None] == 1, log_odds, -log_odds)
        right = last == (labels[:, None] == 1)
    else:
        run.require_columns(TRAINING_LOG, [f"{_PREDICTED}{at:02d}" for at in range(len(moments))], table.column_names)
        predicted = [table[f"{_PREDICTED}{at:02d}"].combine_chunks().to_numpy() for at in range(len(moments))]
        right = np.stack(predicted, axis=1) == labels[:, None]
    ids = tuple(table["id"].to_pylist())
    for array in (moments, log_odds, right):
        array.setflags(write=False)  # one for all visitors
    return TrainingLog(run.name, run.class_names, moments, ids, labels, parts, tokens, log_odds, right)


def _metadata(run: Run, metadata: dict[bytes, bytes] | None) -> str:
    try:
        said = (metadata or {})[b"nlpviz"].decode()
        [float(moment) for moment in json.loads(said)["moments"]]
    except (KeyError, ValueError, TypeError):
        raise RunError(f"{TRAINING_LOG} of the run {run.name!r} is damaged or incomplete.") from None
    return said
