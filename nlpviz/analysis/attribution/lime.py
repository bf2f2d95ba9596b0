"""LIME: the weights of a linear model of word presence, fitted to the class scores of perturbed copies of the text.

Ribeiro, Singh and Guestrin (2016), *"Why Should I Trust You?" Explaining the Predictions of Any Classifier*, section 3.
Words are left out at random, first how many and then which; a text counts the more, the more like the whole one it is:
exp(-d²/2σ²) of the cosine distance d of the two as vectors of zeros and ones. σ is that of the authors' program for
texts. Three deviations: each position has a weight of its own, also where a word stands twice; a word that is left out
is a zero vector and keeps its place, so that all methods have one baseline; and the model has every word in it, with a
ridge penalty in place of the choice of K words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from nlpviz.analysis.attribution import Attributed, Method, completeness_gap

if TYPE_CHECKING:
    from torch import Tensor

    from nlpviz.analysis.attribution.class_score import ClassScore

SAMPLES, FEWEST = 1000, 250
"""Texts that the linear model is fitted to, the whole one among them: at most, and of long texts."""
WORDS = 120_000
"""Words of all of them together, at most, while there are more than :data:`FEWEST`."""
WIDTH = 0.25
"""σ of the kernel, in cosine distance."""
RIDGE = 1.0
"""The penalty on the squared weights."""
SEED = 0


def attribute(score: ClassScore, embedded: Tensor, samples: int | None = None) -> Attributed:
    """Return the linear model's weight of each word, in log-odds; it may be negative.

    The residual is what the sum of the weights misses of the score, less that of the text with every vector zero.
    """
    import torch

    tokens = embedded.shape[1]
    kept = drawn(tokens, samples_of(tokens) if samples is None else samples)
    answers = score.occluded(embedded, torch.from_numpy(kept)).double().numpy()
    weights = fitted(kept.astype(np.float64), answers, kernel(kept))
    scores = torch.from_numpy(weights).to(embedded.dtype)
    return Attributed(scores, None, completeness_gap(score, embedded, scores))


def samples_of(tokens: int) -> int:
    """Return how many samples a text of ``tokens`` gets."""
    return min(SAMPLES, max(FEWEST, WORDS // max(tokens, 1)))


def drawn(tokens: int, samples: int = SAMPLES) -> NDArray[np.bool_]:
    """Return which of ``tokens`` stay in each sample, (N, T); the first sample is the whole text."""
    if not tokens:
        return np.ones((1, 0), dtype=np.bool_)
    draw = np.random.default_rng(SEED)
    out = np.concatenate([[0], draw.integers(1, tokens, samples - 1, endpoint=True)])  # how many are left out
    ranks = draw.random((samples, tokens)).argsort(axis=1).argsort(axis=1)
    result: NDArray[np.bool_] = ranks >= out[:, np.newaxis]
    return result


def kernel(kept: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return how much each sample (N, T) counts, (N,): 1 for the whole text."""
    distance = 1 - np.sqrt(kept.sum(axis=1) / max(kept.shape[1], 1))  # the cosine of ones with zeros and ones
    counts: NDArray[np.float64] = np.exp(-(distance**2) / (2 * WIDTH**2))
    return counts


def fitted(
    there: NDArray[np.float64], answers: NDArray[np.float64], counts: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the weights (T,) of ridge regression with an intercept, which is not penalised.

    Args:
        there: (N, T), zeros and ones.
        answers: (N,), what is to be predicted.
        counts: (N,), the weight of each sample.
    """
    # Centring by the weighted means replaces the intercept, so the penalty leaves it alone.
    share = counts / counts.sum()
    there, answers = there - share @ there, answers - share @ answers
    scaled = there * counts[:, np.newaxis]
    return np.linalg.solve(scaled.T @ there + RIDGE * np.eye(there.shape[1]), scaled.T @ answers).astype(np.float64)


METHOD = Method(
    name="lime",
    title="LIME",
    source="Ribeiro et al. 2016, section 3",
    formula=r"\arg\min_{w, b} \sum_{z} e^{-d(z)^2 / 2\sigma^2} \left(\text{score}(z) - b - w^\top z\right)^2"
    r" + \lambda \lVert w \rVert_2^2",
    reading=(
        "The weight of a word in a linear model of the class score (log-odds): how much higher the score is when the "
        f"word is present. The model is fitted to {SAMPLES:,} copies of the text with random words removed (seed "
        f"{SEED}; fewer for texts of more than {WORDS // SAMPLES} words, at least {FEWEST}). Copies with fewer "
        f"removed words receive more weight (σ = {WIDTH:g}, λ = {RIDGE:g}). A removed word becomes a zero vector. The "
        "residual is the part of the score that the linear model leaves unexplained, because the network is not linear "
        "and the penalty shrinks the weights."
    ),
    unit="log-odds",
    signed=True,
    attribute=attribute,
)
