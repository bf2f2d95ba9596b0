"""Networks, their losses and activations beside autograd; initialisations and dropout by what they promise."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import torch
from scipy.sparse import csr_matrix
from torch.nn import functional

from nlpviz.experiments.feedforward import FeedForwardError, known_activations, known_initialisations, known_losses
from nlpviz.experiments.feedforward.network import FeedForward, NetworkSettings

SIZES = (7, 6, 5, 4)
ACTIVATIONS: dict[str, Any] = {
    "identity": lambda z: z,
    "sigmoid": torch.sigmoid,
    "tanh": torch.tanh,
    "relu": torch.relu,
    "leaky-relu": lambda z: functional.leaky_relu(z, 0.1),
    "elu": functional.elu,
}


def lead(z: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
    """Return by how much the right class leads over the best other one."""
    others = z.masked_fill(functional.one_hot(right, z.shape[1]).bool(), -torch.inf)
    return z.gather(1, right[:, None])[:, 0] - others.amax(dim=1)


def wanted(z: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
    return functional.one_hot(right, z.shape[1]).to(z.dtype)


LOSSES: dict[str, Any] = {
    "cross-entropy": functional.cross_entropy,
    "squared-error": lambda z, right: ((z - wanted(z, right)) ** 2).sum(dim=1).mean(),
    "squared-error-of-sigmoids": lambda z, right: ((torch.sigmoid(z) - wanted(z, right)) ** 2).sum(dim=1).mean(),
    "sigmoid-cross-entropy": lambda z, right: (
        functional.binary_cross_entropy_with_logits(z, wanted(z, right), reduction="none").sum(dim=1).mean()
    ),
    "hinge": lambda z, right: torch.relu(1 - lead(z, right)).mean(),
    "log-loss": lambda z, right: functional.softplus(-lead(z, right)).mean(),
}


def peer(vector: torch.Tensor, inputs: torch.Tensor, activation: str) -> torch.Tensor:
    """Return the outputs of the same network, of the same weights, in torch."""
    at = 0
    for number, (n, m) in enumerate(pairwise(SIZES)):
        matrix, bias = vector[at : at + n * m].reshape(n, m), vector[at + n * m : at + n * m + m]
        at += n * m + m
        inputs = inputs @ matrix + bias
        if number < len(SIZES) - 2:
            inputs = ACTIVATIONS[activation](inputs)
    return inputs


def test_all_have_a_peer() -> None:
    assert set(ACTIVATIONS) == set(known_activations())
    assert set(LOSSES) == set(known_losses())


@pytest.mark.parametrize(
    ("activation", "loss"), [*((one, "cross-entropy") for one in ACTIVATIONS), *(("tanh", one) for one in LOSSES)]
)
def test_the_gradient_is_autograds(activation: str, loss: str) -> None:
    random = np.random.default_rng(0)
    network = FeedForward(NetworkSettings(SIZES, activation, loss, "xavier"))
    weights = network.begin(0, np.float64) + 0.1 * random.normal(size=network.size)
    inputs, right = random.normal(size=(9, 7)), random.integers(0, 4, size=9)
    found = network.backward(weights, inputs, right)
    theirs = torch.tensor(weights, requires_grad=True)
    expected = LOSSES[loss](peer(theirs, torch.tensor(inputs), activation), torch.tensor(right))
    (gradient,) = torch.autograd.grad(expected, theirs)
    assert found.loss == pytest.approx(float(expected.detach()))
    np.testing.assert_allclose(found.gradient, gradient.numpy(), atol=1e-9)
    assert np.abs(found.gradient).max() > 1e-3
    measured, accuracy = network.measure(weights, inputs, right)
    assert measured == pytest.approx(float(expected.detach()))
    assert accuracy == np.mean(found.passed.outputs.argmax(axis=1) == right)


def test_sparse_inputs_are_the_same_inputs() -> None:
    random = np.random.default_rng(0)
    network = FeedForward(NetworkSettings((30, 8, 3)))
    inputs, right = (random.random((20, 30)) < 0.2) * random.normal(size=(20, 30)), random.integers(0, 3, size=20)
    weights = network.begin(0, np.float64)
    dense, sparse = (network.backward(weights, one, right) for one in (inputs, csr_matrix(inputs)))
    np.testing.assert_allclose(sparse.gradient, dense.gradient, atol=1e-12)
    assert network.measure(weights, csr_matrix(inputs), right) == pytest.approx(network.measure(weights, inputs, right))


def test_dropout_drops_a_share_and_keeps_the_mean() -> None:
    network = FeedForward(NetworkSettings((50, 400, 3), "identity", dropout=0.3, initialisation="xavier"))
    weights = network.begin(0, np.float64)
    inputs = np.random.default_rng(1).normal(size=(200, 50))
    dropped = network.forward(weights, inputs, np.random.default_rng(2)).entering[1]
    whole = network.forward(weights, inputs).entering[1]
    assert (dropped == 0).mean() == pytest.approx(0.3, abs=0.01)
    np.testing.assert_allclose(dropped[dropped != 0], (whole / 0.7)[dropped != 0], rtol=1e-6)


def test_the_gradient_with_dropout_is_that_of_a_difference() -> None:
    """With the same random numbers the same units are dropped."""
    network = FeedForward(NetworkSettings((4, 6, 5, 3), "tanh", dropout=0.5))
    random = np.random.default_rng(0)
    weights, inputs, right = network.begin(0, np.float64), random.normal(size=(8, 4)), random.integers(0, 3, size=8)

    def loss(vector: np.ndarray) -> float:
        return network.backward(vector, inputs, right, np.random.default_rng(7)).loss

    gradient = network.backward(weights, inputs, right, np.random.default_rng(7)).gradient
    for place in range(0, network.size, 5):
        step = np.zeros(network.size)
        step[place] = 1e-6
        assert gradient[place] == pytest.approx((loss(weights + step) - loss(weights - step)) / 2e-6, abs=1e-7)


@pytest.mark.parametrize(
    ("name", "variance"),
    [("zero", 0), ("small", 1e-4), ("large", 1), ("lecun", 1 / 300), ("xavier", 2 / 500), ("he", 2 / 300)],
)
def test_weights_begin_with_the_variance_that_is_said(name: str, variance: float) -> None:
    drawn = known_initialisations()[name].draw(np.random.default_rng(0), 300, 200)
    assert drawn.shape == (300, 200)
    assert drawn.var() == pytest.approx(variance, rel=0.03)
    assert drawn.mean() == pytest.approx(0, abs=5 * np.sqrt(variance / 60_000))


def test_he_keeps_the_size_of_what_relus_answer() -> None:
    """Through ten layers: small weights lose it."""
    inputs = np.random.default_rng(0).normal(size=(100, 256))
    ends = {}
    for name in ("he", "small", "large"):
        network = FeedForward(NetworkSettings((256,) * 11, "relu", initialisation=name))
        ends[name] = float(np.square(network.forward(network.begin(0, np.float64), inputs).outputs).mean())
    assert 0.3 < ends["he"] / 2 < 3
    assert ends["small"] < 1e-10
    assert ends["large"] > 1e15


def test_zero_weights_stay_alike() -> None:
    network = FeedForward(NetworkSettings((3, 4, 2), "tanh", initialisation="zero"))
    found = network.backward(network.begin(0), np.ones((5, 3), dtype=np.float32), np.array([0, 1, 0, 0, 1]))
    first, second = network.layers(found.gradient)
    assert not first.weights.any()
    assert not second.weights.any()
    assert second.biases.any(), "the output’s biases alone learn"


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"dropout": 1.0}, "at least 0 and below 1"),
        ({"dropout": -0.1}, "at least 0 and below 1"),
        ({"dropout": float("nan")}, "at least 0 and below 1"),
        ({"activation": "swish"}, "There is no activation 'swish'"),
        ({"loss": "x"}, "There is no loss"),
        ({"initialisation": "x"}, "There is no initialisation"),
    ],
)
def test_what_is_not_there_is_one_sentence(settings: dict[str, Any], said: str) -> None:
    with pytest.raises(FeedForwardError, match=said):
        FeedForward(NetworkSettings((2, 2), **settings))
