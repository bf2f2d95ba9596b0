"""A typed text among the documents of a map: its embedding, its position, and its neighbours in the original space."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nlpviz.analysis.projections.projector import FittedMap, projectors
from nlpviz.analysis.projections.settings import NEIGHBOURS
from nlpviz.results.projection import Projection
from nlpviz.runs import Run, RunError, TrainedModel
from nlpviz.runs.documents import embeddings_of


@dataclass(frozen=True)
class TextPoint:
    """A network's output for one text: its embedding (E,), and the probability of each class (K,)."""

    embedding: NDArray[np.float32]
    probabilities: NDArray[np.float32]

    def __post_init__(self) -> None:
        """Make the arrays read-only."""
        self.embedding.setflags(write=False)
        self.probabilities.setflags(write=False)


def embed_text(trained: TrainedModel, text: str) -> TextPoint:
    """Return the document embedding of ``text`` and the network's prediction.

    Raises:
        RunError: if the text has no token, or the model has no document embeddings.
    """
    import torch

    from nlpviz.networks.architectures import class_probabilities, document_reader

    reader = document_reader(trained.module)
    if reader is None:
        raise RunError(f"The run {trained.run.name!r} has no document embeddings, so texts cannot be placed on a map.")
    encoded = trained.encode(text)
    if not encoded.tokens:
        raise RunError("There are no words to place. Type or paste a review first.")
    ids = torch.from_numpy(encoded.row).unsqueeze(0)  # (1, T)
    with torch.no_grad():
        documents, logits = reader.represent(ids)
    probabilities = class_probabilities(logits)[0]
    return TextPoint(np.array(documents[0].numpy(), np.float32), np.array(probabilities.numpy(), np.float32))


def place_text(
    run: Run, projection: Projection, point: TextPoint, fitted: FittedMap | None = None
) -> NDArray[np.float32]:
    """Return the text's position on one of the run's maps, shape (dimensions,).

    Args:
        run: that keeps the documents.
        projection: the map.
        point: the text.
        fitted: the map as :func:`fitted_map` returns it, for who places many texts.

    Raises:
        RunError: if the projector cannot place a text, or the run's documents are missing or damaged.
    """
    (placed,) = place_vectors(projection, point.embedding[None], fitted or fitted_map(run, projection))
    return np.asarray(placed, dtype=np.float32)


def place_vectors(projection: Projection, vectors: NDArray[np.float32], fitted: FittedMap) -> NDArray[np.float32]:
    """Return the positions on a map of texts with the embeddings ``vectors`` (M, E), shape (M, dimensions).

    Raises:
        RunError: if the projector cannot place a text.
    """
    projector = projectors()[projection.projector]
    if projector.transform is None:
        raise RunError(f"{projector.title} cannot add new texts to an existing map.")
    return np.asarray(projector.transform(fitted, vectors), dtype=np.float32)


def fitted_map(
    run: Run, projection: Projection, embeddings: Callable[[Run, int], NDArray[np.float32]] = embeddings_of
) -> FittedMap:
    """Return the map with its original embeddings, which ``embeddings`` returns for each epoch."""
    rows = slice(None) if projection.members is None else projection.members
    reference = run.best_epoch if projection.reference is None else projection.reference
    return FittedMap(
        embeddings=embeddings(run, projection.epoch)[rows],
        coordinates=projection.coordinates,
        reference=embeddings(run, reference)[rows],
        seed=projection.seed,
        perplexity=projection.perplexity,
    )


def neighbours_of(run: Run, epoch: int, point: TextPoint, count: int = NEIGHBOURS) -> NDArray[np.intp]:
    """Return which of the run's documents lie nearest to the text in the original space, nearest first, (count,)."""
    distances = np.linalg.norm(embeddings_of(run, epoch) - point.embedding, axis=1)
    return np.asarray(np.argsort(distances, kind="stable")[:count])
