"""Maps: embeddings of documents or of words drawn in two or three dimensions, and their trustworthiness."""

from __future__ import annotations

from dataclasses import dataclass
from math import nan

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Projection:
    """Where one projector puts the documents of one epoch.

    Attributes:
        run: whose documents.
        projector: the projector's name, as in ``nlpviz.analysis.projections``.
        epoch: whose embeddings.
        coordinates: shape (N, 2) or (N, 3), in the order of the run's documents, or of ``members``.
        trustworthiness: of the map, 0 to 1: 1 where no neighbour on the map is a stranger in the original
            space (Venna and Kaski 2001), over ``neighbours`` neighbours.
        purity: the share of same-label documents among the ``neighbours`` nearest in the original space.
        neighbours: how many neighbours both numbers look at.
        seed: of the projector.
        comparable: one sentence that says how maps of several epochs were made comparable, or that they were not.
        silhouette: by label, -1 to 1, in the original space with Euclidean distances (Rousseeuw 1987); NaN where
            it was not measured, or only one label is there.
        alone: whether the map was fitted without regard to other epochs.
        perplexity: of t-SNE; None for a projector without.
        reference: the epoch whose axes the map has, its own where it is alone; None where that is not known.
        members: int (N,), which of the run's documents are on the map; None for all.
        features: numbers of a document's embedding; 0 where that is not known.
        named: what stands over the map in place of the epoch, where no network made what it shows; else empty.
    """

    run: str
    projector: str
    epoch: int
    coordinates: NDArray[np.float32]
    trustworthiness: float
    purity: float
    neighbours: int
    seed: int
    comparable: str
    silhouette: float = nan
    alone: bool = False
    perplexity: float | None = None
    reference: int | None = None
    members: NDArray[np.intp] | None = None
    features: int = 0
    named: str = ""

    def __post_init__(self) -> None:
        """Make the arrays read-only."""
        self.coordinates.setflags(write=False)
        if self.members is not None:
            self.members.setflags(write=False)

    @property
    def dimensions(self) -> int:
        """Two or three."""
        return int(self.coordinates.shape[1])

    @property
    def positions(self) -> NDArray[np.intp]:
        """The indices, among the run's documents, of those on the map."""
        return np.arange(len(self.coordinates)) if self.members is None else self.members

    @property
    def spread(self) -> float:
        """The mean distance of a document from the middle of the map."""
        return float(np.linalg.norm(self.coordinates - self.coordinates.mean(axis=0), axis=1).mean())


def displacement(before: Projection, after: Projection) -> float:
    """Return the mean way of a document from its position on one map to that on another, in units of the maps' spread.

    The unit is the mean of both spreads. Two maps that have nothing to do with each other are more than 1 apart.

    Raises:
        ValueError: if the maps differ in their documents or dimensions.
    """
    if before.coordinates.shape != after.coordinates.shape:
        raise ValueError("the two maps must show the same documents in the same number of dimensions")
    moved = np.linalg.norm(after.coordinates - before.coordinates, axis=1)
    return float(moved.mean() / max((before.spread + after.spread) / 2, 1e-12))


@dataclass(frozen=True)
class WordMap:
    """Where one projector puts words, by the directions of their vectors at one epoch.

    Attributes:
        source: of the vectors, as a caption calls them.
        projector: the projector's name, as in ``nlpviz.analysis.projections``.
        epoch: whose vectors; None where they have no epochs.
        words: N of them.
        coordinates: float32 (N, 2) or (N, 3), in their order.
        trustworthiness: of the map, 0 to 1 (Venna and Kaski 2001), over ``neighbours`` neighbours by cosine.
        neighbours: how many neighbours that number looks at.
        comparable: one sentence that says how maps of several epochs were made comparable; empty for one alone.
        share: of the directions' variance that the map's axes hold, 0 to 1; None where its axes are no directions.
        seed: of the projector.
        perplexity: of t-SNE; None for a projector without.
        features: numbers of a word's vector; 0 where that is not known.
    """

    source: str
    projector: str
    epoch: int | None
    words: tuple[str, ...]
    coordinates: NDArray[np.float32]
    trustworthiness: float
    neighbours: int
    comparable: str = ""
    share: float | None = None
    seed: int = 0
    perplexity: float | None = None
    features: int = 0

    def __post_init__(self) -> None:
        """Make the coordinates read-only."""
        self.coordinates.setflags(write=False)

    @property
    def dimensions(self) -> int:
        """Two or three."""
        return int(self.coordinates.shape[1])
