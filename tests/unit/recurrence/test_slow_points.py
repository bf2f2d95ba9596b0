"""Slow points of networks whose fixed points are known, and of one that has none but its own."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch

from nlpviz.analysis.inspection.dynamics_survey import dynamics
from nlpviz.analysis.inspection.slow_points import STEPS, FixedInput, eigenvalues, jacobians, line, settle
from nlpviz.networks.architectures.recurrent_network import RecurrentClassifier, RecurrentConfig
from nlpviz.networks.architectures.skip_rnn import SkipConfig, SkipRNN
from nlpviz.results.dynamics import time_constants
from nlpviz.runs import Run, TrainedModel
from nlpviz.ui.recurrence.resting import verdict
from tests.dynamics import slow_points


def elman(weights: list[list[float]], activation: str, words: int = 4) -> RecurrentClassifier:
    """Return an Elman network of two-dimensional words with these recurrent weights and no bias."""
    config = RecurrentConfig(
        words, dimensions=2, cell="elman", units=len(weights), settings={"activation": activation}, dropout=0.0
    )
    module = RecurrentClassifier(config).eval().requires_grad_(False)
    module.encoder.cell.recurrent_weights.copy_(torch.tensor(weights))
    module.encoder.cell.bias.zero_()
    return module


def test_a_line_of_fixed_points_is_found_with_its_time_constant() -> None:
    """H ← ReLU(h P), P the projection onto (1, 1, 0): every positive multiple of it stays; all else is gone at once."""
    module = elman([[0.5, 0.5, 0.0], [0.5, 0.5, 0.0], [0.0, 0.0, 0.9]], "relu")
    still = FixedInput(module, torch.zeros(2))
    starts = torch.rand(24, 3, generator=torch.Generator().manual_seed(1)) + 0.2
    found = settle(still.step, starts, STEPS)
    assert found.speeds.max() < 1e-5
    points = found.points.numpy()
    assert np.allclose(points[:, 0], points[:, 1], atol=1e-4)
    assert np.allclose(points[:, 2], 0, atol=1e-4)
    assert np.ptp(points[:, 0]) > 0.3  # a line, not one point
    inside = found.points * torch.tensor([1.0, 1.0, 0.0]) + torch.tensor([0.0, 0.0, 1e-9])  # where the ReLU is smooth
    values = eigenvalues(jacobians(still.step, inside))
    assert np.allclose(values.real, [1, 0.9, 0], atol=1e-6)
    assert time_constants(values)[:, 0].min() > 1e5
    assert np.allclose(time_constants(values)[:, 1], -1 / math.log(0.9))
    shares, spread, cosine = line(points, points, np.array([1.0, 1.0, 0.0]))
    assert shares[0] == pytest.approx(1, abs=1e-4)
    assert (spread, cosine) == (pytest.approx(1), pytest.approx(1, abs=1e-4))
    assert line(points, points, np.array([1.0, -1.0, 0.0]))[2] == pytest.approx(0, abs=1e-3)


def test_two_points_are_no_line() -> None:
    shares, spread, cosine = line(np.eye(2), np.eye(2), np.ones(2))
    assert (shares.tolist(), spread, cosine) == ([0, 0, 0], 0, 0)


def test_two_attractors_and_the_saddle_between_them_are_no_line() -> None:
    """H ← tanh(2 h): ±0.9575 are stable, 0 is not."""
    still = FixedInput(elman([[2.0]], "tanh"), torch.zeros(2))
    found = settle(still.step, torch.tensor([[-1.5], [-0.8], [0.0], [0.9], [1.4]]), STEPS)
    assert np.allclose(found.points.numpy().ravel(), [-0.95750, -0.95750, 0, 0.95750, 0.95750], atol=1e-4)
    slopes = jacobians(still.step, found.points).ravel()
    assert np.allclose(slopes, [0.16638, 0.16638, 2, 0.16638, 0.16638], atol=1e-3)
    assert (np.abs(slopes) > 1).tolist() == [False, False, True, False, False]


def test_a_contraction_has_one_fixed_point_and_no_spread() -> None:
    still = FixedInput(elman([[0.5, 0.3], [-0.3, 0.5]], "tanh"), torch.zeros(2))
    starts = torch.randn(16, 2, generator=torch.Generator().manual_seed(0))
    points = settle(still.step, starts, STEPS).points.numpy()
    assert np.allclose(points, 0, atol=1e-6)
    assert line(points, starts.numpy(), np.ones(2))[1] < 1e-5


def test_a_search_stays_where_it_may() -> None:
    """H ← tanh(2 h) rests at ±0.9575; within ±0.8 a search ends at the border, and is not called slow."""
    still = FixedInput(elman([[2.0]], "tanh"), torch.zeros(2))
    starts, box = torch.tensor([[-0.7], [0.6]]), (torch.tensor([-0.8]), torch.tensor([0.8]))
    free, kept = settle(still.step, starts, STEPS), settle(still.step, starts, STEPS, box)
    assert np.allclose(np.abs(free.points.numpy()), 0.9575, atol=1e-3)
    assert np.allclose(kept.points.numpy().ravel(), [-0.8, 0.8], atol=1e-6)
    assert free.speeds.max() < 1e-5 < kept.speeds.min()


def test_a_map_without_a_fixed_point_is_not_said_to_have_one() -> None:
    found = settle(lambda states: states + 1, torch.zeros(3, 4), STEPS)
    assert np.allclose(found.speeds, 2)


@pytest.mark.parametrize("cell", ["elman", "gated", "gru", "lstm"])
def test_the_jacobian_is_that_of_differences(cell: str) -> None:
    """Of the whole state: hidden and cell states of both layers."""
    torch.manual_seed(3)
    config = RecurrentConfig(4, dimensions=3, cell=cell, units=4, layers=2)
    module = RecurrentClassifier(config).eval().requires_grad_(False)
    still = FixedInput(module, torch.randn(3))
    size = module.state_size
    assert len(still.entries) == size
    points, nudges = torch.randn(2, size).double(), 1e-6 * torch.eye(size).double()
    found = jacobians(still.step, points)
    for point, jacobian in zip(points, found, strict=True):
        moved = (still.step(point + nudges) - still.step(point - nudges)) / 2e-6  # (entry that was nudged, S)
        assert np.allclose(jacobian, moved.numpy().T, atol=1e-6)


def test_a_skip_rnn_always_updates() -> None:
    torch.manual_seed(5)
    module = SkipRNN(SkipConfig(4, dimensions=3, cell="gru", units=4, layers=2)).eval().requires_grad_(False)
    still = FixedInput(module, torch.zeros(3))
    assert still.entries.tolist() == [0, 1, 2, 3, 5, 6, 7, 8]
    state = torch.randn(1, 8).double()
    first = module.encoder.cell.double().step(torch.zeros(1, 3).double(), (state[:, :4],)).state[0]
    assert torch.allclose(still.step(state)[:, :4], first)


def test_what_is_shown_is_what_the_output_layer_reads() -> None:
    module = elman([[0.5, 0.1], [0.0, 0.4]], "tanh")
    word, state = torch.tensor([0.3, -0.2]), torch.tensor([[0.5, -0.5]])
    expected = torch.tanh(word @ module.encoder.cell.input_weights + state @ module.encoder.cell.recurrent_weights)
    assert torch.allclose(FixedInput(module, word).shown(state.double()).float(), expected)


def test_points_are_counted_as_what_they_are() -> None:
    one = slow_points([0.0, 0.02, 2.0, 0.5], [1e-9, 1e-3, 0.5, 1e-3], [0.999, -1.01, 0.5])
    assert one.fixed.tolist() == [True, False, False, False]
    assert one.slow.tolist() == [True, True, False, True]
    assert one.places_apart() == 2  # the second is less than a twentieth of a step from the first; the third moves
    assert one.lasting.tolist() == [2] * 4
    assert one.unstable.tolist() == [1] * 4
    assert one.time_constants[0] == pytest.approx([999.5, 100.5, 1 / math.log(2)], rel=1e-3)
    assert time_constants(np.array([0.0, 1.0])).tolist() == [0, np.inf]


def test_a_network_that_adds_up_has_a_line_attractor(toy_classifiers: Callable[[str], Path]) -> None:
    """H ← ReLU(x W + h P) with P the projection onto (1, 1, 0), from texts of words that push along it."""
    run = Run.open(toy_classifiers("recurrent-network"))
    vocabulary = run.vocabulary
    module = elman([[0.5, 0.5, 0.0], [0.5, 0.5, 0.0], [0.0, 0.0, 0.5]], "relu", len(vocabulary))
    module.embedding.weight.zero_()
    for word, worth in {"splendid": 1.0, "film": 0.3, "city": 0.7}.items():
        module.embedding.weight[vocabulary.id(word), 0] = worth
    module.encoder.cell.input_weights.copy_(torch.tensor([[1.0, 1.0, 0.0], [0.0, 0.0, 0.0]]))
    module.output.weight.copy_(torch.tensor([[1.0, 1.0, 0.0]]))
    module.output.bias.fill_(-2.0)
    texts = [" ".join(["splendid"] * more + ["film", "city"] * more) for more in range(1, 13)]
    (found,) = dynamics(TrainedModel(run, 0, module, vocabulary), texts, np.arange(12) % 2)
    still = next(one for one in found.slow if one.input == "zero")
    assert still.slow.all()
    assert still.places_apart() > 6
    assert still.shares[0] == pytest.approx(1, abs=1e-3)
    assert still.cosine == pytest.approx(1, abs=1e-3)
    assert still.spread == pytest.approx(1, abs=0.5)
    assert np.median(still.time_constants[:, 0]) > 1e4
    assert still.time_constants[:, 1].max() < 1 / math.log(2) + 0.01  # halved at once or, at the ReLU's kink, gone
    assert "The slow points lie **close to a line along the class direction**" in verdict(
        still, found.space, "log-odds"
    )
