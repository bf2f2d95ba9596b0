"""A graph of numbers, how each was computed, and the result of each forward and backward step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple


class GraphNode(NamedTuple):
    """A number of a graph: its name, kind, value, the gradient of the last number by it, how it was computed."""

    name: str
    kind: str
    value: float
    gradient: float
    formula: str


class GraphEdge(NamedTuple):
    """From one node to another that was computed of it, by their places, with the local derivative."""

    start: int
    end: int
    slope: float


class GraphStep(NamedTuple):
    """A step.

    Attributes:
        phase: ``"given"``, ``"forward"`` or ``"backward"``.
        at: the nodes that it is about, by their places.
        gradients: those that are known after it, as far as they have added up, by place.
        says: what happens.
    """

    phase: str
    at: tuple[int, ...]
    gradients: Mapping[int, float]
    says: str


@dataclass(frozen=True)
class NumberGraph:
    """A graph of numbers, in the order in which they were computed.

    Attributes:
        nodes: the numbers.
        edges: between them.
        steps: first what is given, then forwards, then backwards.
    """

    nodes: tuple[GraphNode, ...]
    edges: tuple[GraphEdge, ...]
    steps: tuple[GraphStep, ...]

    def place(self, name: str) -> int:
        """Return the place of the node called ``name``."""
        return next(place for place, node in enumerate(self.nodes) if node.name == name)

    def known(self, step: int) -> frozenset[int]:
        """Return the nodes whose values are known after a step, by their places."""
        return frozenset(place for one in self.steps[: step + 1] if one.phase != "backward" for place in one.at)
