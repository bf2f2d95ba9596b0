"""The small graph with its numbers: by hand, and beside autograd."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import torch
from torch.nn import functional

from nlpviz.experiments.feedforward import FeedForwardError
from nlpviz.experiments.feedforward.graph import NumberTape, traced
from nlpviz.experiments.feedforward.small_graph import HIDDEN, LOSSES, NUMBERS, small_graph

UNITS: dict[str, Any] = {
    "tanh": torch.tanh,
    "sigmoid": torch.sigmoid,
    "relu": torch.relu,
    "leaky-relu": lambda z: functional.leaky_relu(z, 0.1),
    "identity": lambda z: z,
}


def autograd(numbers: dict[str, float], hidden: str, loss: str) -> tuple[float, dict[str, float]]:
    """Return the loss and its gradient by each number that is given."""
    n = {name: torch.tensor(value, dtype=torch.double, requires_grad=True) for name, value in numbers.items()}
    h1 = UNITS[hidden](n["w₁₁"] * n["x₁"] + n["w₂₁"] * n["x₂"] + n["b₁"])
    h2 = UNITS[hidden](n["w₁₂"] * n["x₁"] + n["w₂₂"] * n["x₂"] + n["b₂"])
    o = n["v₁"] * h1 + n["v₂"] * h2 + n["c"]
    target = n["t"].detach()
    result = {
        "cross-entropy": lambda: functional.binary_cross_entropy_with_logits(o, target),
        "squared-error": lambda: (o - target) ** 2,
        "squared-error-of-sigmoid": lambda: (torch.sigmoid(o) - target) ** 2,
        "hinge": lambda: torch.relu(1 - (2 * target - 1) * o),
    }[loss]()
    names = [name for name in n if name != "t"]
    gradients = torch.autograd.grad(result, [n[name] for name in names])
    return float(result.detach()), {name: float(one) for name, one in zip(names, gradients, strict=True)}


@pytest.mark.parametrize("hidden", HIDDEN)
@pytest.mark.parametrize("loss", LOSSES)
def test_values_and_gradients_are_autograds(hidden: str, loss: str) -> None:
    random = np.random.default_rng(3)
    for target in (0.0, 1.0):
        numbers = {name: float(value) for name, value in zip(NUMBERS, random.normal(size=12), strict=True)}
        numbers["t"] = target
        graph = small_graph(numbers, hidden, loss)
        value, gradients = autograd(numbers, hidden, loss)
        assert graph.nodes[graph.place("L")].value == pytest.approx(value)
        for name, expected in gradients.items():
            assert graph.nodes[graph.place(name)].gradient == pytest.approx(expected, abs=1e-12), name


def test_the_chain_rule_by_hand() -> None:
    """L = (2 · 3 + 1 − 5)², so ∂L/∂w = 2 · 2 · 3."""
    tape = NumberTape()
    x, w, b = tape.given("x", 3, "input"), tape.given("w", 2, "weight"), tape.given("b", 1, "weight")
    tape.loss("L", "squared-error", tape.weighted_sum("z", [(x, w)], b), tape.given("t", 5, "target"))
    graph = traced(tape)
    assert {node.name: (node.value, node.gradient) for node in graph.nodes} == {
        "x": (3, 8), "w": (2, 12), "b": (1, 4), "z": (7, 4), "t": (5, 0), "L": (4, 1),
    }  # fmt: skip


def test_steps_go_forwards_and_then_backwards() -> None:
    graph = small_graph({}, "tanh", "cross-entropy")
    phases = [step.phase for step in graph.steps]
    assert phases == ["given"] + ["forward"] * 7 + ["backward"] * 8
    assert graph.known(0) == {place for place, node in enumerate(graph.nodes) if not node.formula}
    assert graph.known(7) == set(range(len(graph.nodes)))
    last = graph.steps[-1].gradients
    for place, node in enumerate(graph.nodes):
        assert last.get(place, 0.0) == pytest.approx(node.gradient)


def test_what_a_node_hands_on_adds_up() -> None:
    """The gradient of a number is the sum over the edges from it of the local derivative times the gradient there."""
    graph = small_graph({}, "sigmoid", "squared-error-of-sigmoid")
    for place, node in enumerate(graph.nodes[:-1]):
        arriving = sum(edge.slope * graph.nodes[edge.end].gradient for edge in graph.edges if edge.start == place)
        assert node.gradient == pytest.approx(arriving)


def test_a_saturated_sigmoid_passes_little_of_a_squared_error_and_all_of_a_cross_entropy() -> None:
    numbers = {"c": -12.0, "t": 1.0}
    squared = small_graph(numbers, "tanh", "squared-error-of-sigmoid")
    entropy = small_graph(numbers, "tanh", "cross-entropy")
    assert abs(squared.nodes[squared.place("c")].gradient) < 1e-3
    assert entropy.nodes[entropy.place("c")].gradient == pytest.approx(-1, abs=1e-3)


@pytest.mark.parametrize("wrong", [{"x₁": math.nan}, {"w₁₁": math.inf}, {"b₁": 1e9}, {"t": 2.0}])
def test_a_wrong_number_is_one_sentence(wrong: dict[str, float]) -> None:
    with pytest.raises(FeedForwardError, match="number"):
        small_graph(wrong, "tanh", "hinge")


def test_a_wrong_name_is_one_sentence() -> None:
    with pytest.raises(FeedForwardError, match="Choose an activation from"):
        small_graph({}, "swish", "hinge")
