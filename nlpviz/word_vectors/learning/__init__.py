"""Models that learn word vectors, one a module; each exports ``WORD_MODEL`` and can be read beside its paper.

A model is fitted to an :class:`~nlpviz.word_vectors.learning.text.EncodedCorpus` and yields its tables after every
epoch, epoch 0 first where it has one. What models share stands in modules of their own: windows of text with negative
samples, and co-occurrence counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from nlpviz.discovery import discover

if TYPE_CHECKING:
    import numpy as np
    import torch
    from torch import Tensor

    from nlpviz.word_vectors.learning.text import EncodedCorpus


class Tables(NamedTuple):
    """The vectors of all words: (N, D) as ``input``, and as what is predicted where the model has such vectors."""

    input: Tensor
    output: Tensor | None


class FittedEpoch(NamedTuple):
    """One epoch of a fit: its number, the tables after it, its mean loss (NaN where there is none), its seconds.

    The tables go on changing when the next epoch is asked for.
    """

    number: int
    tables: Tables
    loss: float
    seconds: float


class Keeper(Protocol):
    """Where a fit leaves what it needs to go on when it was stopped."""

    def resume(self, tensors: Mapping[str, Tensor], rng: np.random.Generator) -> int:
        """Put tensors and generators back as they were left; return how many epochs were done, 0 for a new fit."""
        ...

    def another(self, epoch: int) -> bool:
        """Return whether ``epoch`` is to be made."""
        ...

    def keep(self, epoch: int, tensors: Mapping[str, Tensor], rng: np.random.Generator) -> None:
        """Leave tensors and generators as they are after ``epoch``, when who asked for it has done with it."""
        ...


class Fit(NamedTuple):
    """What a model is fitted to and on what, and where it leaves what it needs to go on."""

    text: EncodedCorpus
    device: torch.device
    seed: int
    say: Callable[[str], None]
    keeper: Keeper | None = None


@dataclass(frozen=True)
class WordModel:
    """What a module under ``nlpviz.word_vectors.learning`` exports as ``WORD_MODEL``.

    Attributes:
        name: how a run's manifest calls it, for example ``"skip-gram"``.
        title: how people call it.
        source: the paper.
        formula: what is minimized or factorized, LaTeX.
        reading: the formula in a sentence.
        settings: a frozen dataclass; it has ``dimensions``.
        fit: yields the epochs of a fit with such settings.
    """

    name: str
    title: str
    source: str
    formula: str
    reading: str
    settings: type[Any]
    fit: Callable[[Fit, Any], Iterator[FittedEpoch]]


def word_models() -> dict[str, WordModel]:
    """Return every model of word vectors, by name."""
    return discover("nlpviz.word_vectors.learning", "WORD_MODEL", WordModel)
