"""The loss surface with a wall against autograd, and clipped steps against torch's."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import nn

from nlpviz.analysis.inspection.clipping import STEPS, WANTED, descend, loss_and_gradient, loss_surface


def loss(parameters: torch.Tensor) -> torch.Tensor:
    """Return the loss by the equations, with a graph."""
    unit = torch.zeros((), dtype=torch.float64)
    for _ in range(STEPS):
        unit = torch.sigmoid(parameters[0] * unit + parameters[1])
    return (unit - WANTED) ** 2


@pytest.mark.parametrize("point", [(5.0, -2.2), (4.73, -2.208), (3.0, 0.0), (8.0, -4.5), (-3.0, 900.0)])
def test_loss_and_gradient_are_those_of_autograd(point: tuple[float, float]) -> None:
    parameters = torch.tensor(point, dtype=torch.float64, requires_grad=True)
    expected = loss(parameters)
    (slope,) = torch.autograd.grad(expected, parameters)
    found, gradient = loss_and_gradient(*point)
    assert float(found) == pytest.approx(float(expected.detach()))
    np.testing.assert_allclose(gradient, slope.numpy(), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("threshold", [None, 0.3])
def test_steps_are_those_of_torch(threshold: float | None) -> None:
    parameters = nn.Parameter(torch.tensor((5.0, -2.2), dtype=torch.float64))
    optimizer = torch.optim.SGD([parameters], lr=0.1)
    found = descend((5.0, -2.2), 0.1, threshold, steps=12)
    norms = []
    for point in found.points[1:]:
        optimizer.zero_grad()
        loss(parameters).backward()
        norms.append(float(nn.utils.clip_grad_norm_([parameters], threshold or torch.inf)))
        optimizer.step()
        np.testing.assert_allclose(point, parameters.detach().numpy(), rtol=1e-4)
    np.testing.assert_allclose(found.norms, norms, rtol=1e-3)
    assert found.clipped == (0 if threshold is None else sum(norm > threshold for norm in norms))
    assert found.losses[-1] == pytest.approx(float(loss(parameters.detach())), rel=1e-3)


def test_a_clipped_step_is_never_longer_than_rate_times_threshold() -> None:
    clipped, free = (descend((5.0, -2.2), 0.1, threshold) for threshold in (1.0, None))
    assert clipped.longest == pytest.approx(0.1)
    assert clipped.clipped >= 1
    assert free.longest > 1
    assert free.losses[-1] > clipped.losses[-1]


def test_the_surface_has_a_wall() -> None:
    surface = loss_surface()
    assert surface.losses.shape == (len(surface.biases), len(surface.weights))
    assert surface.losses[30, 40] == pytest.approx(float(loss_and_gradient(surface.weights[40], surface.biases[30])[0]))
    assert np.abs(np.diff(surface.losses, axis=0)).max() > 0.2  # between neighbours, 0.04 apart
