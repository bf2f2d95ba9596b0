"""Norms of derivatives through time, for all pairs of words in one backward pass through a text.

From the last word to the first, a matrix of gradients is multiplied by one Jacobian matrix after the other (003,
"Backpropagation through time"). Its rows are, for every later word T, the gradient of the score after T, and some
directions of the state after T: K random ones at right angles, each of length one. The mean of their squared norms is
in expectation the square of the Frobenius norm over S (Hutchinson 1989), and exactly that where K is S. For the last
word there are all S of them, or :data:`ENOUGH` where the state is large. Numbers are kept near one, and their decimal
logarithms aside, for hundreds of factors leave the range of a float.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from nlpviz.analysis.inspection.linearised import linearised
from nlpviz.analysis.inspection.slopes import Slopes
from nlpviz.networks.architectures import Recurrent
from nlpviz.results.memory import Probes

STEPS, NUMBERS = 32, 1 << 24
"""Jacobian matrices are made for so many words at once, fewer where they have more numbers than that together."""
ALL_ENDS, ENOUGH = 600, 48
"""Numbers of a state up to which the last one's norms are exact, and random directions of a larger or an earlier one
where not all can be computed: these leave an error of a few per cent."""
PRODUCTS = 1.2e10
"""Multiplications that probes may cost together, about a quarter of a second."""
_RESCALED = 4  # steps, after so many numbers are brought near one: their squares are added up


class Norms(NamedTuple):
    """The result of :func:`norms_through_time`, as in :class:`nlpviz.results.memory.TextMemory`."""

    score: NDArray[np.float32]
    state: NDArray[np.float32]
    last: NDArray[np.float32]
    probes: Probes


class Read(NamedTuple):
    """A score as a reading of hidden states.

    Attributes:
        weights: (H,), the score's by the document embedding.
        shares: (T, T, H) or what broadcasts to it: how much of the state after word t (second) the embedding after
            word T (first) takes, unit by unit.
        once: whether that is the state after word T alone.
    """

    weights: Tensor
    shares: Tensor
    once: bool


def norms_through_time(
    module: Recurrent, embedded: Tensor, read: Read, report: Callable[[float], object] = lambda _: None
) -> Norms:
    """Return the norms of the derivatives of scores and states, by words and states before.

    Args:
        module: a network in evaluation mode, whose parameters take no gradient.
        embedded: (T, D), the word vectors of a text of one word at least.
        read: the score.
        report: progress callback, called with the completed fraction of the words.
    """
    before = _states_before(module, embedded)
    sweep = _Sweep(len(embedded), module.state_size, embedded.dtype, read)
    steps = max(min(NUMBERS // module.state_size**2, STEPS), 1)
    for stop in range(len(embedded), 0, -steps):
        start = max(stop - steps, 0)
        slopes = linearised(module, embedded[start:stop], before[start:stop])
        for position in reversed(range(start, stop)):
            sweep.back(position, slopes.of(position - start))
        report(1 - start / len(embedded))
    return sweep.norms()


def _states_before(module: Recurrent, embedded: Tensor) -> Tensor:
    """Return the state before each word, (T, S)."""
    state = module.begin().to(embedded.dtype)
    states = []
    with torch.no_grad():
        for word in embedded:
            states.append(state)
            state, _ = module.advance(word, state)
    return torch.stack(states)


class _Sweep:
    """The gradients on their way back, and the norms that they had.

    The rows are, for every word T, that of the score and those of the probes, then those of the last state. Each of
    these T + 1 groups has a scale for its score and one for its states: its numbers are ``rows`` times 10 ** ``scale``.
    """

    def __init__(self, words: int, size: int, dtype: torch.dtype, read: Read) -> None:
        self.words, self.size, self.read = words, size, read
        affordable = int(PRODUCTS / (words * size) ** 2)
        self.probes = size if affordable >= size else max(min(affordable, ENOUGH), 2)
        self.each = 1 + self.probes
        drawn = torch.linalg.qr(torch.randn(size, size, generator=torch.Generator().manual_seed(0), dtype=dtype))[0]
        self.directions = drawn.T.contiguous()  # a row each
        self.ends = size if size <= ALL_ENDS else ENOUGH
        self.rows = torch.zeros(words * self.each + self.ends, size, dtype=dtype)
        self.rows[words * self.each :] = torch.eye(size, dtype=dtype) if self.ends == size else drawn.T[: self.ends]
        self.other = self.rows.clone()  # where the next product is put
        self.scale = torch.zeros(words + 1, 2, dtype=torch.float64)  # of score and states
        self.of_score = torch.full((words, words), torch.nan, dtype=torch.float64)
        self.of_state = torch.full((words, words), torch.nan, dtype=torch.float64)
        self.of_last = torch.zeros(words, dtype=torch.float64)
        self.squares = torch.full((words, words, self.probes), torch.nan, dtype=dtype)
        self.last_squares = torch.full((words, self.ends), torch.nan, dtype=dtype)

    def back(self, position: int, slopes: Slopes) -> None:
        """Backpropagate all gradients past the word at ``position``, to the state before it."""
        rows, last = self._groups(position)
        own = torch.arange(position * self.probes, (position + 1) * self.probes) % self.size
        rows[0, 1:] = self.directions[own]
        self._record(position, rows[:, 1:], last)
        until = position + 1 if self.read.once else self.words  # then no later score takes any of this state
        shown = self.read.shares[position:until, position] * self.read.weights  # (N, H), by the hidden state here
        if not self.read.once:
            shown = shown * (10.0 ** -self.scale[position:-1, :1]).to(shown.dtype)
        by_word = rows[:, 0] @ slopes.by_input
        by_word[: len(shown)].addmm_(shown, slopes.shown_by_input)
        self.of_score[position:, position] = self.scale[position:-1, 0] + _log10(by_word.norm(dim=1))
        start = position * self.each
        slopes.before(self.rows[start:], self.other[start:])
        # Two buffers take turns, so that no step allocates.
        self.rows, self.other = self.other, self.rows
        rows, _ = self._groups(position)
        rows[: len(shown), 0].addmm_(shown, slopes.shown_by_state)
        if position % _RESCALED == 0:
            self._rescale(position)

    def _groups(self, position: int) -> tuple[Tensor, Tensor]:
        """Return the rows of the words from ``position`` on, (T − t, 1 + K, S), and those of the last state, (E, S)."""
        end = self.words * self.each
        return self.rows[position * self.each : end].view(-1, self.each, self.size), self.rows[end:]

    def _record(self, position: int, probes: Tensor, last: Tensor) -> None:
        """Keep the norms of the gradients by the state after the word at ``position``."""
        squares = probes.norm(dim=2).square()
        mean = squares.mean(dim=1)
        self.squares[position:, position] = squares / mean.unsqueeze(1)
        self.of_state[position:, position] = self.scale[position:-1, 1] + _log10(mean) / 2
        self.of_last[position] = self.scale[-1, 1] + _log10(last.norm())
        ends = last.norm(dim=1).square()
        self.last_squares[position] = ends / ends.mean()

    def _rescale(self, position: int) -> None:
        """Bring the numbers from ``position`` on near one."""
        rows, last = self._groups(position)
        # what a reading adds on the way must not become too large for its row, which therefore only ever shrinks
        for some, column, least in ((rows[:, :1], 0, 0.0 if self.read.once else 1.0), (rows[:, 1:], 1, 0.0)):
            self.scale[position:-1, column] += _brought_near_one(some, least)
        self.scale[-1:, 1] += _brought_near_one(last.unsqueeze(0), 0.0)

    def norms(self) -> Norms:
        """Return the norms, as gains where they are of states."""
        exact = self.probes == self.size
        state = self.of_state
        state[-1] = self.of_last - math.log10(self.ends) / 2
        state.diagonal().zero_()  # the derivative of a state by itself is the identity
        return Norms(
            self.of_score.numpy().astype(np.float32),
            state.numpy().astype(np.float32),
            state[-1].numpy().astype(np.float32),
            Probes(self.probes, 0.0 if exact else self._error(), self.ends, self._last_error()),
        )

    def _error(self) -> float:
        """Return the standard error of a norm, as a share of it."""
        below = torch.ones(self.words, self.words, dtype=torch.bool).tril(-1)
        return _standard_error(self.squares[below], self.size)

    def _last_error(self) -> float:
        """Return that of a norm of the last row; 0 where it is exact."""
        return 0.0 if self.ends == self.size else _standard_error(self.last_squares[:-1], self.size)


def _standard_error(squares: Tensor, size: int) -> float:
    """Return the standard error of norms from their K squares (N, K), of ``size`` that there are, as a share of them.

    It is half as large as that of the square.
    """
    probes = squares.shape[1]
    spread = squares.var(dim=1)
    spread = spread[spread.isfinite()] / probes * (1 - probes / size)
    return float(spread.mean().sqrt() / 2) if len(spread) else 0.0


def _brought_near_one(groups: Tensor, least: float) -> Tensor:
    """Divide each group of rows (N, K, S) whose largest number is above ``least`` by it; return log10 of it, (N,)."""
    largest = groups.abs().amax(dim=(1, 2))
    factor = torch.where(largest.isfinite() & (largest > least), largest, 1.0)
    groups /= factor[:, None, None]
    return _log10(factor)


def _log10(values: Tensor) -> Tensor:
    """Return the decimal logarithms in double precision; minus infinity of zero."""
    return values.double().log10()
