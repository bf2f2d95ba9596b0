"""How stable methods are on one text: under small perturbations of the word vectors, and with another network."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Stability:
    """What becomes of the scores of M methods.

    Attributes:
        run: whose network is explained.
        epoch: of its weights.
        methods: their names.
        sensitivity: (M,), the largest change of a method's scores over some small moves of the word vectors, as a share
            of the scores, both by the Euclidean norm; not a number where all scores are zero.
        moves: how many moves were tried.
        radius: by how much each number of each word vector was moved at most.
        networks: the O other networks, ``"before training"`` first where the run keeps it, then those in which a layer
            and all above it are drawn anew.
        correlation: (M, O), Spearman's, of the scores with those by another network; not a number where one of the two
            has fewer than two different scores.
        words: how many different words the text has.
        seed: of moves and draws.
    """

    run: str
    epoch: int
    methods: tuple[str, ...]
    sensitivity: NDArray[np.float64]
    moves: int
    radius: float
    networks: tuple[str, ...]
    correlation: NDArray[np.float64]
    words: int
    seed: int

    def __post_init__(self) -> None:
        """Make the arrays read-only; refuse arrays of other methods or networks."""
        count = len(self.methods)
        if self.sensitivity.shape != (count,) or self.correlation.shape != (count, len(self.networks)):
            raise ValueError("stability needs one number per method and one per method and network")
        for array in (self.sensitivity, self.correlation):
            array.setflags(write=False)
