"""Two inputs, two hidden units, one output and a loss: a network small enough to be drawn with all its numbers."""

from __future__ import annotations

import math
from collections.abc import Mapping

from nlpviz.experiments.feedforward import FeedForwardError
from nlpviz.experiments.feedforward.graph import NumberTape, traced
from nlpviz.results.backpropagation import NumberGraph

NUMBERS: Mapping[str, float] = {
    "x₁": 1.0, "x₂": -0.5,
    "w₁₁": 0.6, "w₂₁": -0.4, "b₁": 0.1,
    "w₁₂": -0.3, "w₂₂": 0.8, "b₂": 0.0,
    "v₁": 0.7, "v₂": -0.9, "c": 0.2,
    "t": 1.0,
}  # fmt: skip
"""What is given where nobody says otherwise: wᵢⱼ leads from input i to hidden unit j."""
HIDDEN = ("tanh", "sigmoid", "relu", "leaky-relu", "identity")
LOSSES = {"cross-entropy": "sigmoid", "squared-error": "identity", "squared-error-of-sigmoid": "sigmoid",
          "hinge": "identity"}  # fmt: skip
"""Losses, with the activation of the output that each is taken of."""
LIMIT = 100.0


def small_graph(numbers: Mapping[str, float], hidden: str, loss: str) -> NumberGraph:
    """Return the graph of the network with its gradients.

    Args:
        numbers: inputs, weights and target, by name; what is left out is that of :data:`NUMBERS`.
        hidden: the activation of both hidden units.
        loss: one of :data:`LOSSES`.

    Raises:
        FeedForwardError: if a number is none or too large, or the target no probability.
    """
    given = {**NUMBERS, **numbers}
    if wrong := [name for name, value in given.items() if not (math.isfinite(value) and abs(value) <= LIMIT)]:
        raise FeedForwardError(f"{wrong[0]} must be a number from −{LIMIT:g} to {LIMIT:g}.")
    if not 0 <= given["t"] <= 1:
        raise FeedForwardError("The target must be a number from 0 to 1.")
    if hidden not in HIDDEN or loss not in LOSSES:
        raise FeedForwardError(f"Choose an activation from {', '.join(HIDDEN)} and a loss from {', '.join(LOSSES)}.")
    tape = NumberTape()
    kinds = {"x": "input", "t": "target"}
    of = {name: tape.given(name, value, kinds.get(name[0], "weight")) for name, value in given.items()}
    sums = [tape.weighted_sum(f"z{j}", [(of["x₁"], of[f"w₁{j}"]), (of["x₂"], of[f"w₂{j}"])], of[f"b{j}"]) for j in "₁₂"]
    units = [tape.apply(f"h{j}", hidden, number) for j, number in zip("₁₂", sums, strict=True)]
    total = tape.weighted_sum("o", [(units[0], of["v₁"]), (units[1], of["v₂"])], of["c"])
    output = tape.apply("ŷ", LOSSES[loss], total)
    tape.loss("L", loss.removesuffix("-of-sigmoid"), output, of["t"])
    return traced(tape)
