"""Architectures, one a module, and what each of them can show.

A model is a ``torch.nn.Module`` that meets some of the protocols below. A method or a page asks for a
protocol, never for a class: a new architecture is one new file that exports ``MODEL``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from nlpviz.discovery import discover
from nlpviz.vocabulary import PAD


class ParameterTerm(NamedTuple):
    """One term of a model's parameter count: what it is, its formula in numbers, and its value."""

    name: str
    formula: str
    value: int


class Configured(Protocol):
    """What every architecture is besides a ``torch.nn.Module``: made from a config, of a known size."""

    config: Any

    def parameter_terms(self) -> tuple[ParameterTerm, ...]:
        """Return the terms that the number of trainable parameters is the sum of."""
        ...


@dataclass(frozen=True)
class Architecture:
    """What a module under ``nlpviz.models`` exports as ``MODEL``.

    Attributes:
        name: how a run's manifest calls it, for example ``"cnn"``.
        title: how people call it.
        source: the paper.
        config: a frozen dataclass; a run's manifest holds its fields.
        build: makes the module from a config, on the CPU, randomly initialised.
    """

    name: str
    title: str
    source: str
    config: type[Any]
    build: Callable[[Any], nn.Module]


@runtime_checkable
class Classifier(Protocol):
    """A text classifier, cut at its embedding: attribution methods work on the cut."""

    def embed(self, ids: Tensor) -> Tensor:
        """Return the word vectors of ``ids`` (B, T), shape (B, T, D); zero where an id is padding."""
        ...

    def classify(self, embedded: Tensor, mask: Tensor) -> Tensor:
        """Return logits (B, C) of ``embedded`` (B, T, D), whose padding is False in ``mask`` (B, T)."""
        ...


@runtime_checkable
class DocumentEncoder(Protocol):
    """A model with one vector for a whole text: the input of its last layer."""

    def encode(self, embedded: Tensor, mask: Tensor) -> Tensor:
        """Return the document embeddings, shape (B, E)."""
        ...


@runtime_checkable
class ScaledClassifier(Protocol):
    """A classifier that answers a text at many shares of its word vectors for about the price of one answer."""

    def classify_scaled(self, embedded: Tensor, mask: Tensor, shares: Tensor) -> Tensor:
        """Return the logits (S, C) of one text (1, T, D) whose vectors are multiplied by each of ``shares`` (S,)."""
        ...


@runtime_checkable
class RegionEncoder(Classifier, DocumentEncoder, Protocol):
    """A document encoder that pools over regions: each entry of its embedding is one filter's answer to one region.

    The embedding holds the filters of the first region size first, ``pooled`` entries each; ``output`` reads it.
    """

    output: nn.Linear

    @property
    def region_sizes(self) -> tuple[int, ...]:
        """The size h of each branch, in words."""
        ...

    @property
    def pooled(self) -> int:
        """How many regions each filter's pooling takes."""
        ...

    def window_scores(self, embedded: Tensor, mask: Tensor) -> list[Tensor]:
        """Return each branch's answers (B, F, P) before the ReLU; -inf for a window that is not the text's own."""
        ...

    def filter_weights(self) -> list[Tensor]:
        """Return the filters of each branch, (F, D, h)."""
        ...


def class_scores(logits: Tensor) -> Tensor:
    """Return one score for each class, shape (B, K), from ``logits`` (B, C).

    One sigmoid neuron x is a softmax over (0, x) (Tixier 2018, section 5.2.5): its two class scores are
    the log-odds -x and x, so that each class has a gradient of its own. With C > 1 they are the logits.
    """
    return torch.cat([-logits, logits], dim=1) if logits.shape[1] == 1 else logits


def class_probabilities(logits: Tensor) -> Tensor:
    """Return the probabilities of the classes, shape (B, K), from ``logits`` (B, C)."""
    if logits.shape[1] == 1:
        positive = torch.sigmoid(logits)
        return torch.cat([1 - positive, positive], dim=1)
    return torch.softmax(logits, dim=1)


def padded(ids: Sequence[NDArray[np.integer]]) -> Tensor:
    """Return ``ids`` as one int64 tensor (B, T), filled up at the end with the padding id."""
    longest = max((len(row) for row in ids), default=0)
    batch = np.full((len(ids), longest), PAD, dtype=np.int64)
    for row, values in zip(batch, ids, strict=True):
        row[: len(values)] = values
    return torch.from_numpy(batch)


def architectures() -> dict[str, Architecture]:
    """Return every architecture, by name."""
    return discover("nlpviz.models", "MODEL", Architecture)
