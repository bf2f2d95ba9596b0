"""The result of an attribution method on one text: how much each token mattered to one class score."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nlpviz.stats.rank_correlation import rank_correlation
from nlpviz.text.vocabulary import EncodedText

NO_EPOCH = -1
"""Of a model of which nobody knows its epochs: somebody else's."""


@dataclass(frozen=True)
class Explanation:
    """Scores of the tokens that a model read, and what exactly they explain.

    Scores are raw: their scale and sign are the method's own, and figures normalise them.

    Attributes:
        run: the run whose model is explained.
        epoch: the epoch of its weights; 0 is before training, ``NO_EPOCH`` where nobody knows.
        method: the method's name, as in ``nlpviz.analysis.attribution``.
        encoded: the text as the model saw it.
        scores: shape (T,), one for each token read.
        matrix: shape (T, D), the scores' source for each embedding dimension; None where a method has none.
        signed: whether a negative score speaks against the target.
        target: the index of the class whose score is explained.
        class_names: the classes, in the order of ``probabilities``.
        probabilities: shape (K,), what the model says of the text; they sum to one.
        class_score: the score of the target class, a log-odds.
        residual: how far the method's own axiom is off (0: not at all), or None where it has none.
        steps: in how many steps the method integrated, or None where it does not.
        jumps: what happens where the model's answer jumps, as a clause; empty where it does not.
        error: shape (T,), the standard errors of scores that were sampled; None where a method draws nothing, or draws
            what has no error of its own.
    """

    run: str
    epoch: int
    method: str
    encoded: EncodedText
    scores: NDArray[np.float32]
    matrix: NDArray[np.float32] | None
    signed: bool
    target: int
    class_names: tuple[str, ...]
    probabilities: NDArray[np.float32]
    class_score: float
    residual: float | None = None
    steps: int | None = None
    jumps: str = ""
    error: NDArray[np.float32] | None = None

    def __post_init__(self) -> None:
        """Make the arrays read-only; refuse scores that do not match the tokens."""
        rows = self.scores if self.matrix is None else self.matrix
        if self.scores.shape != (len(self.encoded.ids),) or len(rows) != len(self.scores):
            raise ValueError("an explanation needs one score, and one row of its matrix, per token read")
        errors = self.scores if self.error is None else self.error
        if errors.shape != self.scores.shape:
            raise ValueError("an explanation needs one standard error per score")
        for array in (self.scores, rows, self.probabilities, errors):
            array.setflags(write=False)

    @property
    def predicted(self) -> int:
        """The index of the most probable class."""
        return int(np.argmax(self.probabilities))

    def strongest(self, count: int) -> list[int]:
        """Return the positions of the ``count`` tokens with the largest magnitudes, largest first."""
        order = np.argsort(-np.abs(self.scores), kind="stable")
        return [int(position) for position in order[:count]]

    def rank_correlation(self, other: Explanation) -> float | None:
        """Return Spearman's correlation, -1 to 1, between the scores and those of ``other``, of the same tokens.

        Equal scores share their mean rank. None where one of the two has fewer than two different scores.

        Raises:
            ValueError: if the two have scores of different numbers of tokens.
        """
        if self.scores.shape != other.scores.shape:
            raise ValueError("ranks can be compared only for explanations of the same tokens")
        return rank_correlation(self.scores, other.scores)
