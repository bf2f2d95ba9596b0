"""A map of documents: their embeddings drawn in two or three dimensions, and how far to trust it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Projection:
    """Where one projector puts the documents of one epoch.

    Attributes:
        run: whose documents.
        projector: the projector's name, as in ``nlpviz.projections``.
        epoch: whose embeddings.
        coordinates: shape (N, 2) or (N, 3), in the order of the run's documents.
        trustworthiness: of the map, 0 to 1: 1 where no neighbour on the map is a stranger in the original
            space (Venna and Kaski 2001), over ``neighbours`` neighbours.
        purity: the share of same-label documents among the ``neighbours`` nearest in the original space.
        neighbours: how many neighbours both numbers look at.
        seed: of the projector.
        comparable: one sentence that says how maps of several epochs were made comparable.
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

    def __post_init__(self) -> None:
        """Make the coordinates read-only."""
        self.coordinates.setflags(write=False)

    @property
    def dimensions(self) -> int:
        """Two or three."""
        return int(self.coordinates.shape[1])
