"""Sampled Shapley values: what a word adds to the class score, averaged over orders in which words are added.

Shapley (1953), *A Value for n-Person Games*; sampled as by Castro, Gómez and Tejada (2009), *Polynomial Calculation of
the Shapley Value Based on Sampling*, and Štrumbelj and Kononenko (2010), *An Efficient Explanation of Individual
Classifications using Game Theory*. A word that is not there yet is a zero vector and keeps its place, where Štrumbelj
and Kononenko draw another value for it.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from nlpviz.analysis.attribution import Attributed, Method, completeness_gap

if TYPE_CHECKING:
    from torch import Tensor

    from nlpviz.analysis.attribution.class_score import ClassScore

ORDERS, FEWEST = 25, 2
"""Orders of the words at most, and of long texts."""
WORDS = 320_000
"""Words that are read for all orders together, at most, while there are more than :data:`FEWEST`."""
SEED = 0


def attribute(score: ClassScore, embedded: Tensor, words: int = WORDS, fewest: int = FEWEST) -> Attributed:
    """Return the mean of what each word adds as it comes in, in log-odds; it may be negative.

    Efficiency: in each order the words add up to the score less that of the text with every vector zero, and so do the
    means, however few orders there are. The residual is what rounding leaves of it.
    """
    import torch

    tokens = embedded.shape[1]
    orders = orders_of(tokens, words, fewest)
    if not tokens:
        return Attributed(embedded.new_zeros(0).detach(), None, 0.0)
    draw = torch.Generator().manual_seed(SEED)
    with torch.no_grad():
        ends = [score(one) for one in (torch.zeros_like(embedded), embedded)]  # none and all: alike in every order
    added = torch.empty(orders, tokens, dtype=embedded.dtype)
    for row in added:
        order = torch.randperm(tokens, generator=draw)
        # argsort of an order is each word’s place in it; row k has the first k + 1 words.
        there = order.argsort() < torch.arange(1, tokens).unsqueeze(1)  # (T - 1, T): when how many have come
        # Differences of successive scores, put back at the words’ own positions.
        row[order] = torch.cat([ends[0], score.occluded(embedded, there), ends[1]]).diff()
    scores = added.mean(dim=0)
    error = added.std(dim=0) / orders**0.5 if orders > 1 else None  # of a single order nothing is known
    return Attributed(scores, None, completeness_gap(score, embedded, scores), error=error)


def orders_of(tokens: int, words: int = WORDS, fewest: int = FEWEST) -> int:
    """Return how many orders a text of ``tokens`` gets, each of which reads it once a token, of ``words`` in all."""
    return min(ORDERS, max(fewest, words // max(tokens, 1) ** 2))


METHOD = Method(
    name="shapley",
    title="Shapley values, sampled",
    source="Shapley 1953; Castro et al. 2009; Štrumbelj and Kononenko 2010",
    formula=r"\phi(a) = \frac{1}{m} \sum_{\pi} \left[\text{score}(\text{words up to } a \text{ in } \pi)"
    r" - \text{score}(\text{words before } a \text{ in } \pi)\right]",
    reading=(
        "What a word adds to the class score (log-odds) when it replaces a zero vector, averaged over random orders of "
        f"adding the words (seed {SEED}). Texts of up to {math.isqrt(WORDS // ORDERS)} words use {ORDERS} orders; "
        f"longer texts use fewer, but at least {FEWEST}. The sum of the scores is exact for any sample of orders. Each "
        "individual score is an estimate, and a rough one for long texts."
    ),
    unit="log-odds",
    signed=True,
    attribute=attribute,
)
