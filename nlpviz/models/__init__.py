"""Architectures, one a module, and what each of them can show.

A model is a ``torch.nn.Module`` that meets some of the protocols below. A method or a page asks for a
protocol, never for a class: a new architecture is one new file that exports ``MODEL``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, runtime_checkable

import torch
from torch import Tensor, nn

from nlpviz.discovery import discover


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


def architectures() -> dict[str, Architecture]:
    """Return every architecture, by name."""
    return discover("nlpviz.models", "MODEL", Architecture)
