"""GloVe: the logarithm of how often two words stand together, as a product of their vectors and two biases.

Pennington, Socher and Manning (2014), *GloVe: Global Vectors for Word Representation*, equation 8, with AdaGrad as in
section 4.2. Deviation: the pairs of a step are those of a random set of words with another, in one matrix product, not
single pairs; a row has one accumulated square, not one a number.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from nlpviz.word_vectors.learning import Fit, FittedEpoch, Tables, WordModel
from nlpviz.word_vectors.learning.cooccurrence import cooccurrences

if TYPE_CHECKING:
    from scipy.sparse import csr_array


_Block = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float32]]


@dataclass(frozen=True)
class GloVeSettings:
    """How the counts are made and fitted.

    Attributes:
        dimensions: of a vector.
        window: words to either side; a pair d words apart counts 1 / d.
        largest: x_max, the count from which on all pairs weigh the same.
        power: alpha, of the weight of rarer pairs.
        epochs: passes over all pairs.
        rate: learning rate.
        block: words a side of one step.
    """

    dimensions: int = 200
    window: int = 10
    largest: float = 100.0
    power: float = 0.75
    epochs: int = 25
    rate: float = 0.1
    block: int = 1000


def block_gradients(words: Tensor, contexts: Tensor, counts: Tensor, settings: GloVeSettings) -> tuple[Tensor, ...]:
    r"""Return the loss of a block and its gradients with respect to ``words`` and ``contexts``.

    J = sum over the pairs with X > 0 of f(X) (w . c + b_w + b_c - log X)^2, f(X) = min(1, X / x_max)^alpha. The last
    but one number of a row of ``words`` is its bias, the last is 1; a row of ``contexts`` has them the other way round.

    Args:
        words: (n, D + 2).
        contexts: (m, D + 2).
        counts: X, (n, m).
        settings: of f.
    """
    seen = counts > 0
    # The bias columns face columns of ones, so that one product gives w · c + b_w + b_c.
    errors = (words @ contexts.T - torch.where(seen, counts, 1).log()) * seen
    weighted = errors * (counts / settings.largest).clamp(max=1).pow(settings.power)
    return (weighted * errors).sum(), 2 * weighted @ contexts, 2 * weighted.T @ words


def _fit(fitted: Fit, settings: GloVeSettings) -> Iterator[FittedEpoch]:
    """Yield the vectors before training, or as a stopped one left them, and after every epoch.

    The input vectors are the sums of both tables'.
    """
    fitted.say("Counting co-occurrences")
    counts = cooccurrences(fitted.text, settings.window, harmonic=True)
    fitted.say(f"Fitting {counts.nnz:,} co-occurrence counts")
    torch.manual_seed(fitted.seed)
    rng = np.random.default_rng(fitted.seed)
    size, width = counts.shape[0], settings.dimensions + 2
    sides = [((torch.rand(size, width) - 0.5) / settings.dimensions).to(fitted.device) for _ in range(2)]
    for side, one in zip(sides, (-1, -2), strict=True):
        side[:, one] = 1
    squares = [torch.full((size, 1), 1e-8, device=fitted.device) for _ in sides]
    state = {f"side.{i}": side for i, side in enumerate(sides)} | {f"squares.{i}": of for i, of in enumerate(squares)}
    begun = fitted.keeper.resume(state, rng) if fitted.keeper else 0
    yield _epoch(begun, sides, float("nan"), 0.0)
    for epoch in range(begun + 1, settings.epochs + 1):
        if fitted.keeper and not fitted.keeper.another(epoch):
            return
        started, loss = perf_counter(), 0.0
        for rows, columns, block in _blocks(counts, settings.block, rng):
            numbers = [torch.from_numpy(side).to(fitted.device) for side in (rows, columns)]
            taken = [side[number] for side, number in zip(sides, numbers, strict=True)]
            lost, *gradients = block_gradients(taken[0], taken[1], torch.from_numpy(block).to(fitted.device), settings)
            loss += float(lost)
            for side, square, number, gradient, one in zip(sides, squares, numbers, gradients, (-1, -2), strict=True):
                # The column of ones stays fixed.
                gradient[:, one] = 0
                square[number] += gradient.square().mean(dim=1, keepdim=True)
                side[number] -= settings.rate * gradient / square[number].sqrt()
        yield _epoch(epoch, sides, loss / counts.nnz, perf_counter() - started)
        if fitted.keeper:
            fitted.keeper.keep(epoch, state, rng)


def _blocks(counts: csr_array, size: int, rng: np.random.Generator) -> Iterator[_Block]:
    """Yield all pairs of words in blocks: the words of the rows, of the columns, and their counts, dense."""
    order = rng.permutation(counts.shape[0])
    stretches = [order[start : start + size] for start in range(0, len(order), size)]
    for rows in stretches:
        some = counts[rows].tocsc()
        for columns in rng.permutation(len(stretches)):
            yield rows, stretches[columns], some[:, stretches[columns]].toarray()


def _epoch(number: int, sides: list[Tensor], loss: float, seconds: float) -> FittedEpoch:
    # W + W̃, the sum of both tables, as in the paper.
    words, contexts = (side[:, :-2] for side in sides)
    return FittedEpoch(number, Tables(words + contexts, None), loss, seconds)


WORD_MODEL = WordModel(
    name="glove",
    title="GloVe",
    source="Pennington, Socher and Manning 2014",
    formula=(
        r"\sum_{X_{wc} > 0} f(X_{wc}) \left(\mathbf{w}_w \cdot \mathbf{\tilde{w}}_c + b_w + \tilde{b}_c"
        r" - \log X_{wc}\right)^2, \qquad f(x) = \min(1, x / x_{\max})^{3/4}"
    ),
    reading="The dot product of two word vectors models how often the words co-occur; frequent pairs have more weight.",
    settings=GloVeSettings,
    fit=_fit,
)
