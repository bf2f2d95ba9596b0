"""Each optimiser beside PyTorch's own, over many steps, and by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from nlpviz.experiments.optimisers import Stepper, optimisers

PEERS: dict[str, tuple[type[torch.optim.Optimizer], dict[str, Any]]] = {
    "sgd": (torch.optim.SGD, {}),
    "momentum": (torch.optim.SGD, {"momentum": 0.9}),
    "nesterov": (torch.optim.SGD, {"momentum": 0.9, "nesterov": True}),
    "adagrad": (torch.optim.Adagrad, {}),
    "adadelta": (torch.optim.Adadelta, {}),
    "rmsprop": (torch.optim.RMSprop, {}),
    "adam": (torch.optim.Adam, {}),
    "adamax": (torch.optim.Adamax, {}),
    "adamw": (torch.optim.AdamW, {}),
    "rprop": (torch.optim.Rprop, {}),
}


def test_every_optimiser_has_a_peer() -> None:
    assert set(PEERS) == set(optimisers())


@pytest.mark.parametrize("rate", [None, 0.003])
@pytest.mark.parametrize("name", PEERS)
def test_five_hundred_steps_are_those_of_pytorch(name: str, rate: float | None) -> None:
    """On a surface that is no bowl, with gradients that are noisy and now and then zero."""
    optimiser = optimisers()[name]
    rate = optimiser.rate if rate is None else rate
    random = np.random.default_rng(0)
    mine = random.normal(size=12)
    theirs = torch.tensor(mine.copy(), requires_grad=True)
    kind, settings = PEERS[name]
    peer, stepper = kind([theirs], lr=rate, **settings), Stepper(optimiser, mine)
    for step in range(500):
        noise = random.normal(size=12) * (step % 7 > 0)
        noise[step % 12] = 0
        gradient = np.sin(mine) * (step % 12 != 3) + 0.3 * noise
        with torch.no_grad():
            theirs.grad = torch.from_numpy(np.sin(theirs.numpy()) * (step % 12 != 3) + 0.3 * noise)
        peer.step()
        stepper.step(mine, gradient, rate)
        np.testing.assert_allclose(mine, theirs.detach().numpy(), rtol=0, atol=1e-6, err_msg=f"step {step}")
    assert stepper.steps == 500


@pytest.mark.parametrize("name", PEERS)
def test_single_precision_stays_single(name: str) -> None:
    weights = np.ones(3, dtype=np.float32)
    stepper = Stepper(optimisers()[name], weights)
    for _ in range(3):
        stepper.step(weights, np.array([1, -1, 0], dtype=np.float32), 0.1)
    assert weights.dtype == np.float32
    assert weights[0] < 1 < weights[1]


def test_momentum_by_hand() -> None:
    weights = np.array([1.0])
    stepper = Stepper(optimisers()["momentum"], weights)
    stepper.step(weights, np.array([2.0]), 0.1)  # v = 2
    stepper.step(weights, np.array([1.0]), 0.1)  # v = 0.9 * 2 + 1 = 2.8
    np.testing.assert_allclose(weights, [1 - 0.2 - 0.28])


def test_adams_first_step_is_as_long_as_the_rate() -> None:
    """Whatever the size of the gradient: its mean over its root mean square is its sign."""
    weights = np.zeros(2)
    Stepper(optimisers()["adam"], weights).step(weights, np.array([1e-3, -1e3]), 0.01)
    np.testing.assert_allclose(weights, [-0.01, 0.01], rtol=1e-4)
