"""Are our optimisers' steps as fast as PyTorch's?

A step of each optimiser on the weights of the network of the experiments (129,364, single precision), on one thread;
the peer takes the same step with ``torch.optim``'s own, its fastest way on a CPU (``foreach``) where it has one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import torch

from benchmarks import SEED, Benchmark, Row
from benchmarks.clock import alternate, in_ms
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
SIZE, ROUNDS, REPEAT, BAR = 129_364, 15, 20, 3.0  # ms: a step of a batch takes about as long without it


def measure() -> Iterator[Row]:
    """Yield the milliseconds of a step of each optimiser."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        for name, (kind, settings) in PEERS.items():
            yield _step(name, kind, settings)
    finally:
        torch.set_num_threads(threads)


def _step(name: str, kind: type[torch.optim.Optimizer], settings: dict[str, Any]) -> Row:
    """Return the milliseconds of a step of one optimiser."""
    random, one = np.random.default_rng(SEED), optimisers()[name]
    weights, gradient = (random.normal(size=SIZE).astype(np.float32) for _ in range(2))
    parameter = torch.from_numpy(weights.copy()).requires_grad_()
    parameter.grad = torch.from_numpy(gradient.copy())
    peer, stepper = kind([parameter], lr=one.rate, **settings), Stepper(one, weights)
    mine, theirs = alternate(ROUNDS, lambda: stepper.step(weights, gradient, one.rate), peer.step, repeat=REPEAT)
    return Row(f"step of {one.title}", "ms", in_ms(mine), f"`torch.optim.{kind.__name__}`", in_ms(theirs), bar=BAR)


BENCHMARK = Benchmark("optimisers", "Are our optimisers' steps as fast as PyTorch's?", measure, "training")
