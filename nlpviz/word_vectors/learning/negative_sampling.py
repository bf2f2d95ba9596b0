r"""What skip-gram and CBOW share: windows over a text, negative samples, sparse updates, epochs.

Mikolov, Sutskever, Chen, Corrado and Dean (2013), *Distributed Representations of Words and Phrases and their
Compositionality*. Two things are done in another order than in word2vec's program, so that nearly all work is matrix
products, on a CPU as on a GPU:

- ``block`` neighbouring centre words share their ``shared`` negative words (Ji et al. 2016, *Parallelizing Word2Vec in
  Shared and Distributed Memory*); each counts ``negative / shared`` times, so that the expected loss is the same;
- a step takes some hundred words at once, and a row of a table is changed by what its occurrences ask for, over the
  root of the squares so far (Duchi, Hazan and Singer 2011, AdaGrad, with one number a row): by word2vec's plain steps
  the commonest words, which ask hundreds of times at once, would overshoot.

A negative word that happens to stand in the window is not drawn again, as in the lecture's loss.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from nlpviz.word_vectors.learning import Fit, FittedEpoch, Tables
from nlpviz.word_vectors.learning.text import keep_probabilities, subsample

_MEASURED_EVERY = 64  # steps: a sample is enough for a mean, and the loss is not free


@dataclass(frozen=True)
class NegativeSampling:
    """How vectors are trained by telling a word's neighbours from words drawn at random.

    Attributes:
        dimensions: of a vector.
        window: words to either side, at most; each centre draws its own reach from 1 to this.
        negative: words drawn against each prediction.
        noise_power: negative words are drawn by their counts to this power; 0 draws all alike.
        subsample: threshold of the frequencies above which occurrences are dropped; 0 drops none.
        epochs: passes over the text.
        rate: learning rate at the beginning; it falls linearly to nothing.
        input_rate: that of the input vectors; None takes ``rate``. In CBOW some six of them share one prediction.
        step: centre words a step.
        block: neighbouring centre words that share their negative words; it divides ``step``.
        shared: negative words a block.
        squares: what each row's sum of squares begins with. From 0, a row's first step is as long as the rate whatever
            its gradient: small random vectors become long ones at once, and a rare word keeps much of that.
    """

    dimensions: int = 200
    window: int = 5
    negative: int = 5
    noise_power: float = 0.75
    subsample: float = 1e-4
    epochs: int = 5
    rate: float = 0.2
    input_rate: float | None = None
    step: int = 256
    block: int = 32
    shared: int = 32
    squares: float = 0.0


class Windows(NamedTuple):
    """The text of one step, in B blocks of S centre words with W words on either side.

    Attributes:
        centres: (B, S), the numbers of the centre words.
        context: (B, S + 2W), the numbers of the words that windows may reach.
        near: bool (B, S, S + 2W), which of them each centre's window holds.
        noise: (B, K), the numbers of the negative words.
        weight: how much each negative word counts for one prediction.
    """

    centres: Tensor
    context: Tensor
    near: Tensor
    noise: Tensor
    weight: float


class SparseGradient(NamedTuple):
    """The gradient of some rows of a table.

    Attributes:
        numbers: (B, n), which rows; one may stand there repeatedly.
        gradients: (B, n, D), of the loss with respect to each.
    """

    numbers: Tensor
    gradients: Tensor


class Step(NamedTuple):
    """One step's loss, in nats summed over ``predictions``, and the gradients of both tables.

    ``loss`` is computed when it is called.
    """

    loss: Callable[[], Tensor]
    predictions: Tensor
    input: tuple[SparseGradient, ...]
    output: tuple[SparseGradient, ...]


def fit(fitted: Fit, settings: NegativeSampling, step: Callable[[Tables, Windows], Step]) -> Iterator[FittedEpoch]:
    """Yield the tables before training, or as a stopped one left them, and after every epoch.

    Args:
        fitted: the text, the device, the seed.
        settings: of the training.
        step: the model: loss and gradients of one step.
    """
    torch.manual_seed(fitted.seed)
    rng = np.random.default_rng(fitted.seed)
    text = fitted.text
    shape = len(text.counts), settings.dimensions
    # As word2vec begins: small input vectors, and output vectors of zero.
    first = (torch.rand(shape) - 0.5) / settings.dimensions
    output = torch.zeros(shape, device=fitted.device)
    tables = Tables(first.to(fitted.device), output)
    updates = [RowAdaGrad(table, settings.squares) for table in (tables.input, output)]
    cutter = _Cutter(text.counts, settings, fitted.device)
    kept = keep_probabilities(text.counts, settings.subsample)
    state = {"input": tables.input, "output": output, **{f"squares.{i}": of.squares for i, of in enumerate(updates)}}
    begun = fitted.keeper.resume(state, rng) if fitted.keeper else 0
    yield FittedEpoch(begun, tables, float("nan"), 0.0)
    rates = settings.rate if settings.input_rate is None else settings.input_rate, settings.rate
    total, done = settings.epochs * len(text.ids), begun * len(text.ids)
    for epoch in range(begun + 1, settings.epochs + 1):
        if fitted.keeper and not fitted.keeper.another(epoch):
            return
        started, losses = perf_counter(), []
        for piece in text.pieces():
            words, documents = subsample(piece, kept, rng)
            windows = cutter.windows(words, documents)
            steps = -(-len(words) // settings.step)
            for number, cut in enumerate(windows):
                made = step(tables, cut)
                progress = (done + len(piece) * number / steps) / total
                for update, changes, rate in zip(updates, (made.input, made.output), rates, strict=True):
                    update(changes, rate * (1 - progress))
                if number % _MEASURED_EVERY == 0:
                    losses.append(torch.stack([made.loss(), made.predictions]))
            done += len(piece)
        loss, predictions = torch.stack(losses).double().sum(dim=0).tolist()
        yield FittedEpoch(epoch, tables, loss / predictions, perf_counter() - started)
        if fitted.keeper:
            fitted.keeper.keep(epoch, state, rng)


class RowAdaGrad:
    """AdaGrad with one number a row, the sum of its gradients' mean squares: only the rows in use are touched."""

    def __init__(self, table: Tensor, squares: float = 0.0) -> None:
        """Begin with such a sum for every row."""
        self._table, self.squares = table, torch.full((len(table),), squares, device=table.device)

    def __call__(self, changes: Sequence[SparseGradient], rate: float) -> None:
        """Change the rows that a step speaks of; its gradients are overwritten."""
        flat = [(rows.numbers.flatten(), rows.gradients.flatten(0, 1)) for rows in changes]
        for numbers, gradients in flat:
            squares = torch.linalg.vecdot(gradients, gradients)
            self.squares.index_add_(0, numbers, squares, alpha=1 / gradients.shape[1])
        for numbers, gradients in flat:
            roots = self.squares[numbers].sqrt_().clamp_(min=1e-6)
            self._table.index_add_(0, numbers, gradients.div_(roots.unsqueeze(1)), alpha=-rate)


class _Cutter:
    """Cuts a text into the windows of each step."""

    def __init__(self, counts: NDArray[np.int64], settings: NegativeSampling, device: torch.device) -> None:
        weights = counts.astype(np.float64) ** settings.noise_power
        self._cumulated = torch.from_numpy(np.cumsum(weights) / weights.sum()).float().to(device)
        self._settings, self._device = settings, device
        reach = settings.window
        positions = torch.arange(settings.block + 2 * reach, device=device)
        # Distance of each centre word from each word that its block may reach.
        self._distances = (positions[None, :] - positions[reach : reach + settings.block, None]).abs()  # (S, S + 2W)

    def windows(self, words: NDArray[np.int64], documents: NDArray[np.int32]) -> Iterator[Windows]:
        """Yield the steps of a piece of text; what is missing in the last one stands in no document."""
        settings = self._settings
        steps = -(-len(words) // settings.step)
        around = settings.window, steps * settings.step - len(words) + settings.window
        all_words = torch.from_numpy(np.pad(words, around)).to(self._device)
        all_documents = torch.from_numpy(np.pad(documents, around, constant_values=-1)).to(self._device)
        for start in range(0, steps * settings.step, settings.step):
            stretch = slice(start, start + settings.step + 2 * settings.window)
            yield self._cut(all_words[stretch], all_documents[stretch])

    def _cut(self, words: Tensor, documents: Tensor) -> Windows:
        size, reach = self._settings.block, self._settings.window
        centres, own = (row[reach : len(row) - reach].view(-1, size) for row in (words, documents))
        context, theirs = (row.unfold(0, size + 2 * reach, size) for row in (words, documents))
        reaches = torch.randint(1, reach + 1, (*centres.shape, 1), device=self._device)
        near = (self._distances > 0) & (self._distances <= reaches)
        near &= (theirs[:, None, :] == own[:, :, None]) & (own >= 0)[:, :, None]
        # Inverse transform sampling from the noise distribution: counts ** noise_power.
        drawn = torch.rand(len(centres), self._settings.shared, device=self._device)
        noise = torch.searchsorted(self._cumulated, drawn).clamp_(max=len(self._cumulated) - 1)
        return Windows(centres, context, near, noise, self._settings.negative / self._settings.shared)
