"""The word vectors of a run's epochs, read without torch, so that the first query is fast.

A run of the kind ``"word-vectors"`` keeps two tables of (N, D) in each epoch's weights: ``input``, the vectors that
everyone uses, and, in its last epoch, ``output``, those that the words have as what is predicted. Row i is the vector
of word i of ``vocabulary.txt``, the commonest first. A table as it was drawn before training is stored as its seed.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from nlpviz.results.vectors import WordVectors
from nlpviz.runs.files import write_whole
from nlpviz.runs.initial_vectors import first_vectors
from nlpviz.runs.quantized import Quantized, pack, unpack
from nlpviz.runs.run import Run, RunError
from nlpviz.runs.weights import weights_file
from nlpviz.text.vocabulary import SPECIALS

if TYPE_CHECKING:
    from torch import Tensor

KIND = "word-vectors"
INPUT, OUTPUT = "input", "output"
TABLES = (INPUT, OUTPUT)
_DRAWN = "drawn"


def write_vectors(path: Path, tables: Mapping[str, Tensor], seed: int | None = None) -> None:
    """Write tables (N, D) in eight bits a number, one scale a row, or as ``seed`` where that draws the very same."""
    from safetensors.numpy import save_file

    stored: dict[str, NDArray[Any]] = {}
    for table, vectors in tables.items():
        rows = vectors.cpu().numpy()
        packed = pack(rows)
        if seed is not None and np.array_equal(rows, first_vectors(seed, rows.shape)):
            digest = np.frombuffer(sha256(packed.levels.tobytes()).digest(), dtype=np.uint8)
            stored |= {f"{table}.{_DRAWN}": np.array([seed, *rows.shape]), f"{table}.sha256": digest}
        else:
            stored |= {f"{table}.{part}": array for part, array in packed._asdict().items()}
    write_whole(path, lambda partial: save_file(stored, partial))


def tables(run: Run, epoch: int) -> tuple[str, ...]:
    """Return which tables ``epoch`` keeps: ``("input",)``, or ``("input", "output")``."""
    from safetensors import safe_open

    with safe_open(run.file(weights_file(run.check_epoch(epoch))), framework="numpy") as stored:
        names = set(stored.keys())
    return tuple(table for table in TABLES if names & {f"{table}.levels", f"{table}.{_DRAWN}"})


def read_vectors(run: Run, epoch: int | None = None, table: str = INPUT) -> WordVectors:
    """Return the word vectors of one epoch of a run.

    Args:
        run: a run of the kind ``"word-vectors"``.
        epoch: a stored epoch; None selects the best epoch.
        table: ``"input"``, or ``"output"`` for the vectors of the predicted words if the epoch stores them.

    Returns:
        N words in descending order of frequency, and their counts, shape (N,). Their vectors are stored as directions
        of length 1, shape (N, D), and lengths, shape (N,).

    Raises:
        RunError: if the run contains no word vectors, does not store this epoch or table, or is damaged.

    Example:
        >>> from nlpviz.runs import open_run
        >>> from nlpviz.runs.vectors import read_vectors
        >>> vectors = read_vectors(open_run("enwiki-skipgram"))
        >>> vectors.directions.shape, vectors.words[:3]
        ((30000, 200), ('the', 'of', 'and'))
    """
    from safetensors import SafetensorError, safe_open

    if run.kind != KIND:
        raise RunError(f"The run {run.name!r} is a {run.kind} and has no word vectors.")
    epoch = run.check_epoch(run.best_epoch if epoch is None else epoch)
    name = weights_file(epoch)
    try:
        with safe_open(run.file(name), framework="numpy") as stored:
            parts = {name: stored.get_tensor(name) for name in stored.keys() if name.startswith(f"{table}.")}  # noqa: SIM118
        if not parts:
            raise RunError(f"Epoch {epoch} of the run {run.name!r} has no stored {table} vectors.")
        vectors = unpack(_table(parts, table))
    except (SafetensorError, OSError, KeyError, ValueError):
        raise RunError(f"{name} of the run {run.name!r} cannot be read.") from None
    words, counts = run.vocabulary.words[len(SPECIALS) :], run.vocabulary.counts[len(SPECIALS) :]
    try:
        return WordVectors.of(source_of(run, epoch, table), words, vectors, counts)
    except ValueError:
        raise RunError(f"{name} does not fit the vocabulary of the run {run.name!r}.") from None


def _table(parts: Mapping[str, NDArray[Any]], table: str) -> Quantized:
    """Return a table from what is stored of it.

    Raises:
        KeyError: if a part is missing.
        ValueError: if its seed draws others.
    """
    if f"{table}.{_DRAWN}" not in parts:
        return Quantized(*(parts[f"{table}.{part}"] for part in Quantized._fields))
    seed, words, dimensions = parts[f"{table}.{_DRAWN}"].tolist()
    packed = pack(first_vectors(seed, (words, dimensions)))
    if sha256(packed.levels.tobytes()).digest() != parts[f"{table}.sha256"].tobytes():
        raise ValueError(f"the seed {seed} generates different vectors")
    return packed


def source_of(run: Run, epoch: int, table: str) -> str:
    """Return the source of an epoch's vectors for a caption."""
    return f"{run.title}, epoch {epoch}{', output vectors' if table == OUTPUT else ''}"
