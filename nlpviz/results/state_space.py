"""The path of a text through the state space that the output layer reads, and a space to draw it in."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nlpviz.text.vocabulary import EncodedText


@dataclass(frozen=True)
class StatePath:
    """What the output layer reads after each of T tokens: the last state, or the states pooled so far.

    The score of a class is affine in it, ``read @ direction + bias``: the log-odds of two classes; of more, the class's
    logit minus the mean of the others', which is the mean of its log-odds against each of them.

    Attributes:
        run: the run whose model read the text.
        epoch: of its weights; 0 is before training.
        text: the text as the model saw it.
        class_names: the classes.
        target: the index of the class that the score speaks for.
        after: float32 (T, K), the probabilities after each token, as if the text ended there.
        read: float32 (T, E).
        direction: float32 (E,), the class direction.
        bias: the score where zero is read.
        reading: ``"last"``, ``"mean"`` or ``"max"`` of the states.
        before: float32 (E,), what is read before the first token; None for zero.
    """

    run: str
    epoch: int
    text: EncodedText
    class_names: tuple[str, ...]
    target: int
    after: NDArray[np.float32]
    read: NDArray[np.float32]
    direction: NDArray[np.float32]
    bias: float
    reading: str
    before: NDArray[np.float32] | None = None

    def __post_init__(self) -> None:
        """Make the arrays read-only; refuse what does not match the tokens."""
        tokens = len(self.text.ids)
        if self.after.shape != (tokens, len(self.class_names)) or self.read.shape != (tokens, len(self.direction)):
            raise ValueError("a path needs a prediction and a vector after each token read")
        for array in (self.after, self.read, self.direction):
            array.setflags(write=False)

    @cached_property
    def points(self) -> NDArray[np.float64]:
        """Where the path goes, (T + 1, E), from before the first token on."""
        before = np.zeros(len(self.direction)) if self.before is None else self.before.astype(np.float64)
        return np.concatenate([before[None, :], self.read.astype(np.float64)])

    @cached_property
    def scores(self) -> NDArray[np.float64]:
        """The score before the first token and after each, (T + 1,)."""
        return self.points @ self.direction.astype(np.float64) + self.bias

    @cached_property
    def pushes(self) -> NDArray[np.float64]:
        """How far each token moves the score, (T,): in sum the last score less the first one."""
        return np.asarray(np.diff(self.scores))

    def strongest(self, count: int) -> list[int]:
        """Return the positions of the ``count`` largest pushes either way, the largest first."""
        return [int(position) for position in np.argsort(-np.abs(self.pushes), kind="stable")[:count]]


@dataclass(frozen=True)
class StateSpace:
    """Principal axes of what the output layer reads at one epoch, and where N reviews end on them.

    Attributes:
        run: the run's name.
        epoch: of its weights.
        mean: float32 (E,), where the axes meet.
        axes: float32 (A, E), rows of length 1, the one with the largest variance first; zeros where none is left.
        shares: float32 (A,), of all variance along each.
        fitted: how many states the axes were fitted on.
        reviews: how many texts these are of; 1 for the typed text alone.
        ends: float32 (N, A), the last states on the axes.
        scores: float32 (N,), the scores of a class there.
        labels: int8 (N,), class indices.
    """

    run: str
    epoch: int
    mean: NDArray[np.float32]
    axes: NDArray[np.float32]
    shares: NDArray[np.float32]
    fitted: int
    reviews: int
    ends: NDArray[np.float32]
    scores: NDArray[np.float32]
    labels: NDArray[np.int8]

    def __post_init__(self) -> None:
        """Make the arrays read-only; refuse shapes that do not match."""
        count, size = self.axes.shape
        if self.mean.shape != (size,) or self.shares.shape != (count,) or self.ends.shape != (len(self.scores), count):
            raise ValueError(
                "a state space needs a mean and, for each axis, a variance share and the range of the reviews"
            )
        if self.labels.shape != self.scores.shape:
            raise ValueError("each review needs a label and a score")
        for array in (self.mean, self.axes, self.shares, self.ends, self.scores, self.labels):
            array.setflags(write=False)

    def project(self, points: NDArray[np.floating[Any]]) -> NDArray[np.float64]:
        """Return where ``points`` (..., E) lie on the axes, (..., A)."""
        return np.asarray((points - self.mean) @ self.axes.T, dtype=np.float64)
