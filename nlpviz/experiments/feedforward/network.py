"""A feed-forward network on one vector of weights, and its gradient by backpropagation, written out.

z(l) = a(l−1) W(l) + b(l), a(l) = g(z(l)), the last layer without g; backwards δ(l−1) = (δ(l) W(l)ᵀ) ⊙ g′(z(l−1)), and
∂L/∂W(l) = a(l−1)ᵀ δ(l) (Rumelhart, Hinton and Williams 1986). Dropout is inverted: what is kept is divided by the
share that is kept, so that nothing changes where nothing is dropped (Srivastava et al. 2014).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlpviz.experiments.feedforward import (
    Array,
    FeedForwardError,
    known,
    known_activations,
    known_initialisations,
    known_losses,
)

Inputs = Any
"""Of a batch, (B, D): an array, or a sparse matrix of scipy's, for bags of words are nearly all zero."""


class Layer(NamedTuple):
    """The weights (n, m) and biases (m,) of a layer: views of the vector."""

    weights: Array
    biases: Array


class Passed(NamedTuple):
    """What a batch becomes on its way: what enters each layer, the sums z of each, and what was kept by dropout."""

    entering: list[Inputs]
    sums: list[Array]
    masks: list[Array | None]

    @property
    def outputs(self) -> Array:
        """The sums of the last layer (B, K)."""
        return self.sums[-1]


class Backwards(NamedTuple):
    """The loss of a batch, its gradient as one vector, what was computed on the way, and δ of each layer."""

    loss: float
    gradient: Array
    passed: Passed
    deltas: list[Array]


@dataclass(frozen=True)
class NetworkSettings:
    """What a network is made of.

    Attributes:
        sizes: units of each layer, the inputs first, the K outputs last.
        activation: of the hidden layers.
        loss: of the outputs.
        initialisation: of the weights.
        dropout: the share of hidden units that is dropped in training.
    """

    sizes: tuple[int, ...]
    activation: str = "relu"
    loss: str = "cross-entropy"
    initialisation: str = "he"
    dropout: float = 0.0


class FeedForward:
    """A network whose weights are handed to it: one vector, for optimisers and planes.

    Attributes:
        settings: what it is made of.
        size: how many weights it has.
    """

    def __init__(self, settings: NetworkSettings) -> None:
        """Look up what it is made of.

        Raises:
            FeedForwardError: if there is no such thing, or dropout is no share below 1.
        """
        if not 0 <= settings.dropout < 1:
            raise FeedForwardError(f"The dropout rate must be at least 0 and below 1, not {settings.dropout:g}.")
        self.settings = settings
        self.activation = known(known_activations(), settings.activation, "activation")
        self.loss = known(known_losses(), settings.loss, "loss")
        self._initialisation = known(known_initialisations(), settings.initialisation, "initialisation")
        self.size = sum(n * m + m for n, m in pairwise(settings.sizes))

    def begin(self, seed: int, dtype: type[np.floating[Any]] = np.float32) -> Array:
        """Return weights before training."""
        random, weights = np.random.default_rng([seed, 1]), np.zeros(self.size, dtype=dtype)
        for layer in self.layers(weights):
            layer.weights[...] = self._initialisation.draw(random, *layer.weights.shape)
        return weights

    def layers(self, weights: Array) -> list[Layer]:
        """Return the layers as views of the vector ``weights``."""
        result, at = [], 0
        for n, m in pairwise(self.settings.sizes):
            matrix, at = weights[at : at + n * m].reshape(n, m), at + n * m
            result.append(Layer(matrix, weights[at : at + m]))
            at += m
        return result

    def forward(self, weights: Array, inputs: Inputs, random: np.random.Generator | None = None) -> Passed:
        """Return what ``inputs`` (B, D) become; with ``random``, units are dropped."""
        layers = self.layers(weights)
        passed = Passed([inputs], [], [])
        for number, layer in enumerate(layers):
            passed.sums.append(passed.entering[-1] @ layer.weights + layer.biases)
            if number == len(layers) - 1:
                return passed
            values = self.activation.value(passed.sums[-1])
            mask = self._kept(values, random)
            passed.masks.append(mask)
            passed.entering.append(values if mask is None else values * mask)
        return passed

    def backward(
        self, weights: Array, inputs: Inputs, right: NDArray[np.integer[Any]], random: np.random.Generator | None = None
    ) -> Backwards:
        """Return the mean loss of a batch and its gradient."""
        passed = self.forward(weights, inputs, random)
        loss, delta = self.loss.grade(passed.outputs, right)
        gradient = np.empty_like(weights)
        layers, own, deltas = self.layers(weights), self.layers(gradient), [delta]
        for number in reversed(range(len(layers))):
            own[number].weights[...] = passed.entering[number].T @ delta
            own[number].biases[...] = delta.sum(axis=0)
            if number:
                delta = self._before(delta @ layers[number].weights.T, passed, number)
                deltas.insert(0, delta)
        return Backwards(loss, gradient, passed, deltas)

    def _before(self, arriving: Array, passed: Passed, number: int) -> Array:
        """Return δ of the layer before, from what arrives at its values."""
        sums, mask = passed.sums[number - 1], passed.masks[number - 1]
        if mask is None:
            return arriving * self.activation.slope(sums, passed.entering[number])
        return arriving * mask * self.activation.slope(sums, self.activation.value(sums))

    def measure(self, weights: Array, inputs: Inputs, right: NDArray[np.integer[Any]]) -> tuple[float, float]:
        """Return mean loss and accuracy without dropout."""
        outputs = self.forward(weights, inputs).outputs
        return self.loss.grade(outputs, right).loss, float((outputs.argmax(axis=1) == right).mean())

    def _kept(self, values: Array, random: np.random.Generator | None) -> Array | None:
        share = self.settings.dropout
        if random is None or not share:
            return None
        kept: Array = (random.random(values.shape, dtype=np.float32) >= share).astype(values.dtype) / (1 - share)
        return kept.astype(values.dtype)


def hidden(inputs: int, units: Sequence[int], classes: int) -> tuple[int, ...]:
    """Return the sizes of a network with these hidden layers."""
    return (inputs, *units, classes)
