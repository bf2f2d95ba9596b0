"""The exponential moving average of a model's weights (Polyak and Juditsky 1992)."""

from __future__ import annotations

from copy import deepcopy

import torch
from torch import Tensor, nn


class WeightAverage:
    """A second copy of a model that follows it: ``average += (1 - decay) * (weights - average)``.

    What batch normalisation measured follows likewise.

    The decay grows from 2/11 at the first step, so that the random start is forgotten at once. With a decay
    of 0 there is no copy: :attr:`module` is the model itself.
    """

    def __init__(self, model: nn.Module, decay: float) -> None:
        """Start at the model's own weights."""
        self.decay = decay
        self.steps = 0
        self.module = deepcopy(model).requires_grad_(False) if decay else model
        pairs = zip(self.module.parameters(), model.parameters(), strict=True)
        moving: list[tuple[Tensor, Tensor]] = [
            (mean, weight) for mean, weight in pairs if weight.requires_grad and decay
        ]
        measured = zip(self.module.buffers(), model.buffers(), strict=True)
        moving += [(mean, buffer) for mean, buffer in measured if buffer.is_floating_point() and decay]
        self._means: list[Tensor] = [mean for mean, _ in moving]
        self._weights: list[Tensor] = [weight for _, weight in moving]

    @torch.no_grad()
    def update(self) -> None:
        """Follow the model after a step of the optimizer."""
        self.steps += 1
        # A short memory at first: the random start would bias a mean with the full decay.
        decay = min(self.decay, (1 + self.steps) / (10 + self.steps))
        if self._means:
            torch._foreach_lerp_(self._means, self._weights, 1 - decay)
