"""The stored test documents of a classifier's run: ids, labels, each epoch's predictions and embeddings, their maps.

``documents.parquet`` has one row per kept test document, equally many of each label: ``id``, ``label``, ``rating``,
``length``, and for each epoch the probability (``probability.07``) and the embedding in eight bits
(``embedding.07.levels``, ``.low``, ``.step``; :mod:`nlpviz.runs.quantized`). With two classes the probability is the
last one's; with more, it is a list of all of them, in 65,535ths. Autoencoders keep codes in place of embeddings, and
no probabilities. ``maps.parquet`` has a column per map in half precision (``tsne.2d.07``; ``tsne.2d.07.alone`` if that
epoch was fitted by itself); its schema's metadata describes each map. Neither file contains a text.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from nlpviz.results.confusion import Confusion
from nlpviz.results.documents import RunDocuments
from nlpviz.results.projection import Projection
from nlpviz.runs.files import matrix
from nlpviz.runs.predictions import STEPS
from nlpviz.runs.quantized import Quantized, unpack
from nlpviz.runs.run import Run, RunError

if TYPE_CHECKING:
    import pyarrow as pa

DOCUMENTS, MAPS = "documents.parquet", "maps.parquet"
_PROBABILITY = "probability."  # and the epoch: of the columns


@dataclass(frozen=True)
class Documents:
    """Test documents of one run, N of them, without their texts.

    Attributes:
        ids: how the corpus calls them, for example ``"test/17"``.
        labels: int8 (N,), indices into the run's class names.
        ratings: int8 (N,), stars.
        lengths: int32 (N,), tokens before the cut.
    """

    ids: tuple[str, ...]
    labels: NDArray[np.int8]
    ratings: NDArray[np.int8]
    lengths: NDArray[np.int32]


def documents_of(run: Run) -> Documents:
    """Return the sample of test documents stored with the run of a classifier or an autoencoder.

    The sample contains the same number of documents from each class. The texts themselves are not stored.

    Args:
        run: a run with stored test documents.

    Returns:
        The ids, labels, ratings and lengths (in tokens) of the N documents.

    Raises:
        RunError: if the run stores no documents, or the file is damaged.

    Example:
        >>> from nlpviz.runs import open_run
        >>> from nlpviz.runs.documents import documents_of
        >>> documents = documents_of(open_run("imdb-cnn"))
        >>> len(documents.ids), documents.ids[0]
        (2000, 'test/neg/1')
    """
    return run.kept("documents", _read_documents)


def _read_documents(run: Run) -> Documents:
    table = run.table(DOCUMENTS, ["id", "label", "rating", "length"])
    columns = (table[name].combine_chunks().to_numpy() for name in ("label", "rating", "length"))
    return Documents(tuple(table["id"].to_pylist()), *columns)


def probabilities_of(run: Run, epoch: int) -> NDArray[np.float32]:
    """Return the class probabilities of the documents at ``epoch``, shape (N, K)."""
    return run.kept("probabilities", _read_probabilities)[run.check_epoch(epoch)]


def every_epoch_of(run: Run) -> dict[int, NDArray[np.float32]]:
    """Return the class probabilities of the documents at each epoch, (N, K) each, even without kept weights."""
    return run.kept("probabilities", _read_probabilities)


def _read_probabilities(run: Run) -> dict[int, NDArray[np.float32]]:
    import pyarrow.parquet as pq

    columns = {epoch: f"{_PROBABILITY}{epoch:02d}" for epoch in run.epochs}
    there = [name for name in pq.read_schema(run.file(DOCUMENTS)).names if name.startswith(_PROBABILITY)]
    table = run.table(DOCUMENTS, sorted({*columns.values(), *there}))
    return {int(name.removeprefix(_PROBABILITY)): _probabilities(table, name) for name in table.column_names}


def _probabilities(table: pa.Table, column: str) -> NDArray[np.float32]:
    """Return the probabilities of the classes (N, K): of two classes, the column holds those of the last one."""
    import pyarrow as pa

    if pa.types.is_fixed_size_list(table[column].type):
        return (matrix(table, column) / np.float32(STEPS)).astype(np.float32)
    last = table[column].combine_chunks().to_numpy().astype(np.float32, copy=False)
    return np.stack([1 - last, last], axis=1)


def confusion_of(run: Run, epoch: int) -> Confusion:
    """Return the classes that an epoch takes for which, over the documents that the run keeps."""
    return Confusion.of(run.class_names, documents_of(run).labels, probabilities_of(run, epoch).argmax(axis=1))


def predicts(run: Run) -> bool:
    """Return whether a run has class probabilities of the documents: an autoencoder predicts no classes."""
    import pyarrow.parquet as pq

    return any(name.startswith(_PROBABILITY) for name in pq.read_schema(run.file(DOCUMENTS)).names)


def embeddings_of(run: Run, epoch: int) -> NDArray[np.float32]:
    """Return the document embeddings of one epoch, in the order of :func:`documents_of`.

    Each number is stored in eight bits.

    Args:
        run: a run with stored test documents.
        epoch: a stored epoch; 0 is before training.

    Returns:
        The embeddings, shape (N, E); for an autoencoder, the codes.

    Raises:
        RunError: if the run does not store this epoch, or the file is damaged.

    Example:
        >>> from nlpviz.runs import open_run
        >>> from nlpviz.runs.documents import embeddings_of
        >>> embeddings_of(open_run("imdb-cnn"), 7).shape
        (2000, 300)
    """
    import pyarrow.parquet as pq

    prefix = f"embedding.{run.check_epoch(epoch):02d}"
    if f"{prefix}.levels" not in pq.read_schema(run.file(DOCUMENTS)).names:
        run.check_surveyed(epoch)
    columns = {part: f"{prefix}.{part}" for part in Quantized._fields}
    table = run.table(DOCUMENTS, list(columns.values()))
    low, step = (table[columns[part]].combine_chunks().to_numpy() for part in ("low", "step"))
    return unpack(Quantized(matrix(table, columns["levels"]), low, step))


def projections_of(run: Run) -> tuple[Projection, ...]:
    """Return the two- and three-dimensional maps of the stored test documents.

    Args:
        run: a run whose documents were projected (``python -m nlpviz project``).

    Returns:
        One map for each combination of projector, epoch and number of dimensions, in no particular order. Each map
        contains coordinates, shape (N, 2) or (N, 3), and quality measures.

    Raises:
        RunError: if the run has no maps, or the file is damaged.

    Example:
        >>> from nlpviz.runs import open_run
        >>> from nlpviz.runs.documents import projections_of
        >>> maps = projections_of(open_run("imdb-cnn"))
        >>> sorted({each.projector for each in maps})
        ['pca', 'tsne']
    """
    return run.kept("projections", _read_projections)


def stored_projections(
    run: Run, projector: str, dimensions: int, epochs: Sequence[int], *, alone: bool = False
) -> tuple[Projection, ...]:
    """Return the stored maps of a run's documents, one for each of ``epochs``: comparable, or each fitted alone."""
    wanted = {
        result.epoch: result
        for result in projections_of(run)
        if (result.projector, result.dimensions, result.alone) == (projector, dimensions, alone)
    }
    if missing := [epoch for epoch in epochs if epoch not in wanted]:
        raise RunError(
            f"The run {run.name!r} has no {dimensions}-D {projector} map of epoch {missing[0]}"
            f"{' with each epoch fitted separately' if alone else ''}. `python -m nlpviz project {run.name}` computes "
            "it."
        )
    return tuple(wanted[epoch] for epoch in epochs)


def _read_projections(run: Run) -> tuple[Projection, ...]:
    table, features = run.table(MAPS), _embedding_size(run)
    described = json.loads((table.schema.metadata or {}).get(b"nlpviz", b"{}"))
    run.require_columns(MAPS, described, table.column_names)
    try:
        return tuple(
            Projection(
                run=run.name, coordinates=matrix(table, column).astype(np.float32), **{"features": features} | about
            )
            for column, about in described.items()
        )
    except TypeError:
        command = f"`python -m nlpviz project {run.name}`"
        raise RunError(
            f"{MAPS} of the run {run.name!r} was written by another version. Run {command} to recompute it."
        ) from None


def _embedding_size(run: Run) -> int:
    """Return how many numbers a document embedding has, without reading any; 0 where that cannot be known."""
    import pyarrow.parquet as pq

    try:
        schema = pq.read_schema(run.file(DOCUMENTS))
    except RunError:  # reading the documents raises it again; their maps exist all the same
        return 0
    name = f"embedding.{run.best_epoch:02d}.levels"
    return schema.field(name).type.list_size if name in schema.names else 0


def run_documents(
    run: Run, document: str = "text", beginnings: tuple[str, ...] = (), masking: NDArray[np.integer] | None = None
) -> RunDocuments:
    """Return a run's test documents with each kept epoch's predictions.

    Args:
        run: that keeps documents.
        document: what one of them is called.
        beginnings: the first words of each text, if known.
        masking: what masking ratings makes of each document, if known.

    Raises:
        RunError: if they are missing or damaged.
    """
    kept = documents_of(run)
    return RunDocuments(
        run=run.name,
        title=run.title,
        class_names=run.class_names,
        best_epoch=run.best_epoch,
        ids=kept.ids,
        labels=kept.labels,
        ratings=kept.ratings,
        lengths=kept.lengths,
        probabilities={epoch: probabilities_of(run, epoch) for epoch in run.epochs} if predicts(run) else {},
        beginnings=beginnings,
        masking=masking,
        document=document,
    )
