"""Two checkpoints compared: how much of the original spaces is the same."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from nlpviz.analysis.projections.quality import nearest, overlap, shared_neighbours
from nlpviz.analysis.projections.settings import NEIGHBOURS
from nlpviz.runs import Checkpoint
from nlpviz.runs.documents import documents_of, embeddings_of


def nearest_documents(checkpoint: Checkpoint) -> NDArray[np.intp]:
    """Return the nearest neighbours of each document that a run keeps, by their positions, (N, NEIGHBOURS).

    Raises:
        RunError: if the documents are missing or damaged.
    """
    return nearest(embeddings_of(checkpoint.run, checkpoint.epoch), NEIGHBOURS)


def neighbours_in_common(
    first: Checkpoint,
    second: Checkpoint,
    nearest_of: Callable[[Checkpoint], NDArray[np.intp]] = nearest_documents,
) -> float:
    """Return the mean share of a document's nearest neighbours that both original spaces share, 0 to 1.

    Both are cut to the documents that both runs keep; there must be some.

    Args:
        first: one of them.
        second: the other.
        nearest_of: :func:`nearest_documents`, or what remembers its results.

    Raises:
        RunError: if the documents of a run are missing or damaged.
    """
    own, its = documents_of(first.run).ids, documents_of(second.run).ids
    if own == its:
        return overlap(nearest_of(first), nearest_of(second))
    positions = {name: index for index, name in enumerate(its)}
    common = [(index, positions[name]) for index, name in enumerate(own) if name in positions]
    rows, its_rows = (list(column) for column in zip(*common, strict=True))
    embeddings, its_embeddings = embeddings_of(first.run, first.epoch), embeddings_of(second.run, second.epoch)
    return shared_neighbours(embeddings[rows], its_embeddings[its_rows], NEIGHBOURS)
