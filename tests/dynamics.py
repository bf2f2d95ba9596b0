"""Paths, spaces, slow points and modifiers made by hand."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from nlpviz.results.dynamics import LASTING, SlowPoints, time_constants
from nlpviz.results.modifiers import ModifierEffects
from nlpviz.results.state_space import StatePath, StateSpace
from nlpviz.text.vocabulary import Vocabulary

CLASSES = ("negative", "positive")
VOCABULARY = Vocabulary(["good", "film", "bad"], [3, 2, 1])
READ = ((1.0, 0.0, 0.0), (1.0, 2.0, 0.0), (-1.0, 2.0, 1.0))
"""What is read after each of three words."""


def path(text: str = "good film bad", epoch: int = 3, direction: Sequence[float] = (1.0, 0.5, 0.0)) -> StatePath:
    """Return the path of a text of at most three words, with the bias 0.25."""
    encoded = VOCABULARY.encode(text, 100)
    read = np.array(READ, dtype=np.float32)[: len(encoded.ids)].reshape(-1, 3)
    scores = read @ np.array(direction, dtype=np.float32) + 0.25
    positive = 1 / (1 + np.exp(-scores))
    return StatePath(
        run="net",
        epoch=epoch,
        text=encoded,
        class_names=CLASSES,
        target=1,
        after=np.stack([1 - positive, positive], axis=1).astype(np.float32).reshape(-1, 2),
        read=read,
        direction=np.array(direction, dtype=np.float32),
        bias=0.25,
        reading="last",
    )


def space(one: StatePath, reviews: NDArray[np.float64] | None = None) -> StateSpace:
    """Return the space whose axes are those of the states, round (0.5, 0, 0), with reviews that end there, (N, 3)."""
    ends = np.array([[2.0, 1, 0], [-2, -1, 0], [1, -3, 0]]) if reviews is None else reviews
    mean = np.array([0.5, 0, 0], dtype=np.float32)
    scores = ends @ one.direction + one.bias
    return StateSpace(
        run=one.run,
        epoch=one.epoch,
        mean=mean,
        axes=np.eye(3, dtype=np.float32),
        shares=np.array([0.6, 0.3, 0.1], dtype=np.float32),
        fitted=100,
        reviews=len(ends),
        ends=(ends - mean).astype(np.float32),
        scores=scores.astype(np.float32),
        labels=(scores > 0).astype(np.int8),
    )


def slow_points(
    scores: Sequence[float],
    speeds: Sequence[float],
    eigenvalues: Sequence[complex] = (0.998, 0.9, 0.5),
    *,
    epoch: int = 3,
    line: tuple[float, float, float] = (0.9, 0.9, 0.7),
) -> SlowPoints:
    """Return slow points with these scores; ``line`` is share, spread and cosine."""
    count = len(scores)
    return SlowPoints(
        run="net",
        epoch=epoch,
        input="mean",
        state_size=6,
        step=0.5,
        speeds=np.array(speeds, dtype=np.float32),
        places=np.stack([np.array(scores), np.zeros(count), np.zeros(count)], axis=1).astype(np.float32),
        scores=np.array(scores, dtype=np.float32),
        eigenvalues=np.tile(np.array(eigenvalues, dtype=np.complex64), (count, 1)),
        unstable=np.full(count, (np.abs(np.array(eigenvalues)) > 1).sum()),
        lasting=np.full(count, (time_constants(np.array(eigenvalues)) > LASTING).sum()),
        shares=np.array([line[0], 1 - line[0], 0], dtype=np.float32),
        spread=line[1],
        cosine=line[2],
    )


def modifiers(factor: float, null: Sequence[float] = (0.9, 1.0, 1.1), scale: float = 1.0) -> ModifierEffects:
    """Return effects in which *not* multiplies all pushes by ``factor``, and *very* leaves them."""
    plain = scale * np.array([1.0, 0.5, -1.0, -1.5], dtype=np.float32)
    return ModifierEffects(
        run="net",
        epoch=3,
        words=("good", "great", "bad", "awful"),
        modifiers=("not", "very"),
        contexts=7,
        plain=plain,
        modified=np.stack([factor * plain, plain]).astype(np.float32),
        null=np.stack([one * plain for one in null]).astype(np.float32),
    )
