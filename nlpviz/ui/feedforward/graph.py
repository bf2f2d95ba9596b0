"""Backpropagation on a page: the numbers that a visitor may change, and the graph step by step."""

from __future__ import annotations

import streamlit as st

from nlpviz.experiments.feedforward import FeedForwardError, known_activations
from nlpviz.experiments.feedforward.small_graph import HIDDEN, LIMIT, LOSSES, NUMBERS, small_graph
from nlpviz.figures.feedforward.graph import graph
from nlpviz.figures.numbers import brief
from nlpviz.results.backpropagation import GraphNode, NumberGraph
from nlpviz.ui import plotly_view, widgets
from nlpviz.ui.calls import Call
from nlpviz.ui.frame import answer, explain_error, takeaway

_PARAMETERS = dict(
    zip(NUMBERS, ("x1", "x2", "w11", "w21", "b1", "w12", "w22", "b2", "v1", "v2", "c", "target"), strict=True)
)
_CHAIN_RULE = (
    r"\frac{\partial L}{\partial u} = \sum_{v \text{ of } u}"
    r" \frac{\partial L}{\partial v} \frac{\partial v}{\partial u}"
)
_LOSSES = {"cross-entropy": "cross-entropy (sigmoid output)", "squared-error": "squared error (linear output)",
           "squared-error-of-sigmoid": "squared error (sigmoid output)", "hinge": "hinge"}  # fmt: skip


def pick() -> tuple[str, str]:
    """Return the activation of the hidden units and the loss."""
    titles = {name: one.title for name, one in known_activations().items()}
    hidden = widgets.pick("unit", "Hidden units", HIDDEN, titles.__getitem__)
    return hidden, widgets.pick("cost", "Loss", list(LOSSES), _LOSSES.__getitem__)


def pick_numbers() -> dict[str, float]:
    """Return inputs, target and weights as the visitor set them."""
    chosen = {}
    with st.popover("Inputs, weights, target"):
        for name, default in NUMBERS.items():
            target = name == "t"
            limits = (0.0, 1.0) if target else (-LIMIT, LIMIT)
            what = "The target, 0 to 1." if target else "An input, a weight or a bias; c is the output’s bias."
            chosen[name] = widgets.number(_PARAMETERS[name], name, float(default), limits, 0.1, what)
    return chosen


def show(numbers: dict[str, float], hidden: str, loss: str) -> None:
    """Show the graph, and say what its gradients mean for a step of gradient descent."""
    call = Call(small_graph, numbers, hidden, loss)
    try:
        found = call()
    except FeedForwardError as error:
        explain_error(str(error))
        return
    _tell(found, numbers, hidden, loss)
    about = f"{hidden} units, {_LOSSES[loss]}"
    plotly_view.show(Call(graph, call, about, len(found.steps) - 1), key="backpropagation")
    _describe(found)


def _tell(found: NumberGraph, numbers: dict[str, float], hidden: str, loss: str) -> None:
    before = found.nodes[-1].value
    stepped = {**numbers, **{node.name: node.value - 0.1 * node.gradient for node in _weights(found)}}
    after = small_graph(stepped, hidden, loss).nodes[-1].value
    takeaway(
        "One gradient step with learning rate 0.1 {moves} the loss from {before} to {after}.",
        moves="lowers" if after < before else "raises" if after > before else "leaves",
        before=_written(before), after=_written(after),
    )  # fmt: skip


def _describe(found: NumberGraph) -> None:
    """Say what the output is, and which weight or bias the loss is most sensitive to."""
    largest = max(_weights(found), key=lambda node: abs(node.gradient))
    answer(
        "The output ŷ is {output}. Among weights and biases, the loss is most sensitive to {name}: ∂L/∂{name} = "
        "{gradient}.",
        output=brief(found.nodes[found.place("ŷ")].value), name=largest.name, gradient=brief(largest.gradient),
    )  # fmt: skip


def _weights(found: NumberGraph) -> list[GraphNode]:
    return [node for node in found.nodes if node.kind == "weight"]


def _written(loss: float) -> str:
    return f"{loss:.4f}" if 1e-3 <= loss < 1e4 else brief(loss)


def explained(hidden: str, loss: str) -> str:
    """Return how the view is to be read."""
    output = r"\hat y = \sigma(o)" if LOSSES[loss] == "sigmoid" else r"\hat y = o"
    return f"""
**Forward pass**: each number is computed from the numbers whose edges lead to it: $z_j = w_{{1j}} x_1 + w_{{2j}} x_2 +
b_j$, $h_j = g(z_j)$ with {hidden}, $o = v_1 h_1 + v_2 h_2 + c$, then ${output}$ and the loss $L$ ({_LOSSES[loss]}).

**Backward pass**: starting from $\\partial L / \\partial L = 1$, each number passes a gradient back to the numbers from
which it was computed: its own gradient, multiplied by the local derivative shown on the edge. Gradients that arrive at
the same number are added:

$${_CHAIN_RULE}$$

Circles are inputs and computed numbers, squares are weights and biases, and the diamond is the target. Below each
symbol are its value and, after ∂, the gradient of the loss. The backward pass costs about as much as the forward pass,
regardless of the number of weights. This makes it practical to train large networks (Rumelhart, Hinton and Williams
1986).

Play the steps, move through them with ‹ and ›, or focus the slider and press the arrow keys. The gradients come from a
small implementation of reverse-mode differentiation, which is tested against PyTorch’s autograd.
"""
