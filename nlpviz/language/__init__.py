"""The interface of language models, whether counted or trained: the probability of each next word.

A state represents everything that was read and is never changed: it can be continued several times.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

Ids = NDArray[np.integer[Any]]
LogProbabilities = NDArray[np.floating[Any]]


class WordsRead(NamedTuple):
    """The result of reading some words.

    Attributes:
        log_probabilities: of each of them, before it was read, (T,), in nats.
        state: after the last one.
    """

    log_probabilities: LogProbabilities
    state: Any


class Predictor(Protocol):
    """A language model over V ids."""

    @property
    def size(self) -> int:
        """V; the ids that are no words have no probability."""
        ...

    def begin(self) -> Any:  # noqa: ANN401
        """Return the state before the first word of a text: after the end of a line."""
        ...

    def read(self, state: Any, words: Ids) -> WordsRead:  # noqa: ANN401
        """Return the log-probability of each of ``words`` (T,) given those before it, and the last state."""
        ...

    def after(self, state: Any, words: Ids) -> Any:  # noqa: ANN401
        """Return the state after ``words`` (T,), without their probabilities."""
        ...

    def distributions(self, state: Any, words: Ids) -> LogProbabilities:  # noqa: ANN401
        """Return the log-probabilities of all ids before each of ``words`` (T,) and after the last, (T + 1, V)."""
        ...


class RunPredictor(Predictor, Protocol):
    """The language model of a run, which scores many texts at once."""

    def texts(self, words: Ids) -> LogProbabilities:
        """Return the log-probability of each word of several texts of one length, (N, T)."""
        ...
