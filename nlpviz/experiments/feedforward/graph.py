"""Reverse-mode differentiation in one page: a graph of numbers that remembers how each was computed.

Each operation notes its value and its local derivatives by what enters it. Backwards, from the last number on, each
hands its gradient to those, times the local derivative; where several arrive, they add up: the chain rule (Linnainmaa
1970; Rumelhart, Hinton and Williams 1986).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from nlpviz.results.backpropagation import GraphEdge, GraphNode, GraphStep, NumberGraph


@dataclass(eq=False)
class Number:
    """A number of a :class:`NumberTape`, and how it was computed.

    Attributes:
        name: as it is drawn.
        kind: ``"input"``, ``"weight"``, ``"target"``, ``"sum"``, ``"activation"`` or ``"loss"``.
        value: of it.
        formula: how it was computed, in words; empty for what was given.
        parents: what it was computed of, with the derivative by each.
        gradient: of the last number by this one; 0 before :meth:`NumberTape.backward`.
    """

    name: str
    kind: str
    value: float
    formula: str = ""
    parents: list[tuple[Number, float]] = field(default_factory=list)
    gradient: float = 0.0


class NumberTape:
    """Numbers in the order in which they were computed."""

    def __init__(self) -> None:
        """Begin with none."""
        self.numbers: list[Number] = []

    def given(self, name: str, value: float, kind: str) -> Number:
        """Return a number that is given."""
        return self._noted(Number(name, kind, value))

    def weighted_sum(self, name: str, terms: Sequence[tuple[Number, Number]], bias: Number) -> Number:
        """Return Σ weight · input + bias, of pairs (input, weight)."""
        value = sum(one.value * weight.value for one, weight in terms) + bias.value
        parents = [pair for one, weight in terms for pair in ((one, weight.value), (weight, one.value))]
        said = " + ".join(f"{weight.name}·{one.name}" for one, weight in terms)
        return self._noted(Number(name, "sum", value, f"{said} + {bias.name}", [*parents, (bias, 1.0)]))

    def apply(self, name: str, function: str, number: Number) -> Number:
        """Return an activation of a number: ``identity``, ``sigmoid``, ``tanh``, ``relu`` or ``leaky-relu``."""
        value, slope = activated(function, number.value)
        return self._noted(Number(name, "activation", value, f"{function}({number.name})", [(number, slope)]))

    def loss(self, name: str, function: str, output: Number, target: Number) -> Number:
        """Return the loss of an output: ``squared-error`` or ``cross-entropy`` of a probability, or ``hinge``."""
        value, slope = graded(function, output.value, target.value)
        return self._noted(Number(name, "loss", value, f"{function}({output.name}, {target.name})", [(output, slope)]))

    def backward(self) -> list[tuple[Number, list[tuple[Number, float]]]]:
        """Set all gradients; return each number that passed its gradient on, in that order, with each parent's part."""
        for number in self.numbers:
            number.gradient = 0.0
        self.numbers[-1].gradient = 1.0
        order = []
        for number in reversed(self.numbers):
            if number.parents:
                handed = [(parent, number.gradient * slope) for parent, slope in number.parents]
                for parent, part in handed:
                    parent.gradient += part
                order.append((number, handed))
        return order

    def _noted(self, number: Number) -> Number:
        self.numbers.append(number)
        return number


def activated(function: str, z: float) -> tuple[float, float]:
    """Return the value and the slope of an activation at ``z``."""
    if function == "sigmoid":
        value = 0.5 * (1 + math.tanh(0.5 * z))
        return value, value * (1 - value)
    if function == "tanh":
        value = math.tanh(z)
        return value, 1 - value * value
    if function in ("relu", "leaky-relu"):
        off = 0.1 if function == "leaky-relu" else 0.0
        return (z, 1.0) if z > 0 else (off * z, off)
    return z, 1.0


def graded(function: str, output: float, target: float) -> tuple[float, float]:
    """Return the value and the slope of a loss; a hinge takes a target of 0 for −1."""
    if function == "cross-entropy":
        sure = min(max(output, 1e-12), 1 - 1e-12)
        value = -target * math.log(sure) - (1 - target) * math.log(1 - sure)
        return value, (sure - target) / (sure * (1 - sure))
    if function == "hinge":
        sign = 2 * target - 1
        return (1 - sign * output, -sign) if sign * output < 1 else (0.0, 0.0)
    return (output - target) ** 2, 2 * (output - target)


def traced(tape: NumberTape) -> NumberGraph:
    """Return the graph of a tape with all steps, forwards and then backwards; its gradients are set."""
    order = tape.backward()
    places = {number: place for place, number in enumerate(tape.numbers)}
    nodes = tuple(
        GraphNode(number.name, number.kind, number.value, number.gradient, number.formula) for number in tape.numbers
    )
    edges = tuple(
        GraphEdge(places[parent], places[number], slope) for number in tape.numbers for parent, slope in number.parents
    )
    given = tuple(place for place, number in enumerate(tape.numbers) if not number.parents)
    steps = [GraphStep("given", given, {}, "The inputs, the target and the weights are given.")]
    steps += [
        GraphStep("forward", (places[number],), {}, f"{number.name} = {number.formula}")
        for number in tape.numbers
        if number.parents
    ]
    last = tape.numbers[-1]
    running = {places[last]: 1.0}
    steps.append(GraphStep("backward", (places[last],), dict(running), f"∂L/∂{last.name} = 1"))
    for number, handed in order:
        for parent, part in handed:
            running[places[parent]] = running.get(places[parent], 0.0) + part
        parents = ", ".join(parent.name for parent, _ in handed)
        said = f"{number.name} passes its gradient to {parents}, multiplied by the local derivative"
        steps.append(GraphStep("backward", (places[number],), dict(running), said))
    return NumberGraph(nodes, edges, tuple(steps))
