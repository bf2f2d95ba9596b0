"""One unit of a network over the words of one text, and the feature that it may follow."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nlpviz.results.units import Unit
from nlpviz.text.vocabulary import EncodedText


@dataclass(frozen=True)
class UnitCourse:
    """A unit of one checkpoint after each of the T words of a text.

    Attributes:
        run: whose network.
        epoch: of its weights.
        unit: which one.
        encoded: the text as the model saw it.
        values: (T,), of the unit.
        feature: (T,), what it may follow.
    """

    run: str
    epoch: int
    unit: Unit
    encoded: EncodedText
    values: NDArray[np.float32]
    feature: NDArray[np.float32]

    @property
    def r(self) -> float | None:
        """Their correlation in this text; None where either never changes."""
        if len(self.values) < 2 or not np.ptp(self.values) or not np.ptp(self.feature):
            return None
        return float(np.corrcoef(self.values, self.feature)[0, 1])
