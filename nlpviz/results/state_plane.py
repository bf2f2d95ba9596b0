"""A plane through state space: two principal axes, or the class score and the rest of the first axis."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nlpviz.results.state_space import StatePath, StateSpace

_NONE = 1e-9


@dataclass(frozen=True)
class StatePlane:
    """A plane of a state space, in which a class direction lies more or less.

    Attributes:
        space: the principal axes.
        direction: float64 (E,), the class direction.
        bias: of the class score.
        classes: how many there are.
        kind: ``"components"`` for two principal axes, ``"score"`` for the class score and what is left of the first.
    """

    space: StateSpace
    direction: NDArray[np.float64]
    bias: float
    classes: int
    kind: str = "components"

    @classmethod
    def of(cls, space: StateSpace, path: StatePath, kind: str) -> StatePlane:
        """Return the plane that a path is drawn in."""
        return cls(space, path.direction.astype(np.float64), path.bias, len(path.class_names), kind)

    @property
    def along(self) -> NDArray[np.float64]:
        """The class direction on the first two principal axes, (2,)."""
        return np.asarray(self.space.axes[:2] @ self.direction)

    @property
    def share(self) -> float:
        """How much of the class direction's squared length lies in the plane of the first two axes, 0 to 1."""
        whole = float(self.direction @ self.direction)
        return float(self.along @ self.along) / whole if whole > 0 else 0.0

    def agreement(self) -> float | None:
        """Return for which share of the reviews the side of the boundary on two axes is that of the score's sign.

        None where no review was read.
        """
        if not len(self.space.scores):
            return None
        centre = float(self.space.mean @ self.direction) + self.bias
        in_plane = centre + self.space.ends[:, :2] @ self.along
        return float(np.mean((in_plane > 0) == (self.space.scores > 0)))

    def place(self, places: NDArray[np.floating[Any]], scores: NDArray[np.floating[Any]]) -> NDArray[np.float64]:
        """Return where points lie in the plane, (N, 2), of their ``places`` on the axes (N, A) and ``scores`` (N,)."""
        if self.kind == "components":
            return np.asarray(places[:, :2], dtype=np.float64)
        length = float(np.linalg.norm(self.direction))
        if length < _NONE:
            return np.stack([np.asarray(scores, dtype=np.float64), np.asarray(places[:, 0], dtype=np.float64)], axis=1)
        cosine = float(self.space.axes[0] @ self.direction) / length
        centre = float(self.space.mean @ self.direction) + self.bias
        along = (np.asarray(scores, dtype=np.float64) - centre) / length  # from the mean, in units of the states
        left = np.sqrt(max(1 - cosine**2, _NONE))
        return np.stack([np.asarray(scores, dtype=np.float64), (places[:, 0] - cosine * along) / left], axis=1)

    def boundary(self, box: NDArray[np.float64]) -> NDArray[np.float64] | None:
        """Return two points, (2, 2), of the line on which the score is zero, both far beyond ``box``.

        The box has the low and the high of each axis, (2, 2). The line is that of points in the plane itself: what lies
        off it has a score of its own. None where there is no such line.
        """
        far = float(np.ptp(box, axis=1).max()) * 4
        if self.kind == "score":
            middle = float(box[1].mean())
            return np.array([[0.0, middle - far], [0.0, middle + far]])
        along = self.along
        squared = float(along @ along)
        if squared < _NONE:
            return None
        foot = -along * (float(self.space.mean @ self.direction) + self.bias) / squared
        turned = np.array([-along[1], along[0]]) / np.sqrt(squared)
        nearest = foot + turned * float(turned @ (box.mean(axis=1) - foot))
        return np.stack([nearest - far * turned, nearest + far * turned])
