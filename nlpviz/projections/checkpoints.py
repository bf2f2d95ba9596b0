"""Two checkpoints beside each other: how much of the original spaces is the same."""

from __future__ import annotations

from nlpviz.projections.quality import shared_neighbours
from nlpviz.projections.settings import NEIGHBOURS
from nlpviz.runs import Checkpoint
from nlpviz.runs.documents import documents_of, embeddings_of


def neighbours_in_common(first: Checkpoint, second: Checkpoint) -> float:
    """Return the mean share of a document's nearest neighbours that both original spaces have in common, 0 to 1.

    Both are cut to the documents that both runs keep, of which there must be some.

    Raises:
        RunError: if the documents of a run are missing or damaged.
    """
    positions = {name: index for index, name in enumerate(documents_of(second.run).ids)}
    common = [(index, positions[name]) for index, name in enumerate(documents_of(first.run).ids) if name in positions]
    rows, its_rows = (list(column) for column in zip(*common, strict=True))
    embeddings, its_embeddings = embeddings_of(first.run, first.epoch), embeddings_of(second.run, second.epoch)
    return shared_neighbours(embeddings[rows], its_embeddings[its_rows], NEIGHBOURS)
