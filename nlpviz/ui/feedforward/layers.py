"""Babysitting a training, on a page: which one, its layers by step, and what is wrong with it in words."""

from __future__ import annotations

import numpy as np
import streamlit as st

from nlpviz.feedforward.stored import watched
from nlpviz.figures.feedforward.layers import WANTED, by_layer
from nlpviz.figures.numbers import brief
from nlpviz.results.feedforward import Trials
from nlpviz.results.layers_watched import WatchedTraining
from nlpviz.snippets import feedforward as snippets
from nlpviz.ui import plotly_view, widgets
from nlpviz.ui.cache import figure
from nlpviz.ui.feedforward import cache
from nlpviz.ui.frame import answer, details, takeaway

_CLASSES = 20  # newsgroups


def pick(trials: Trials) -> WatchedTraining:
    """Return the training that the visitor chose."""
    there = watched(trials)
    return there[widgets.pick("training", "Training", list(there), lambda name: there[name].title)]


def show(trials: Trials, training: WatchedTraining) -> None:
    """Show its layers, and say what they show."""
    _tell(training)
    drawn = figure(("by_layer", *cache.made(trials), training.name), lambda: by_layer(training))
    plotly_view.show(drawn, key="by_layer", code=snippets.layers(trials.name, training.name))
    answer("{said}", said=_gradients(training))
    answer("{said}", said=_updates(training))
    with details():
        _table(training)


def _tell(training: WatchedTraining) -> None:
    """Say how a training ended."""
    if training.diverged is not None:
        takeaway("The training diverged at step {step:,}: its loss became unusable.", step=training.diverged)
    else:
        takeaway(
            "After {steps:,} steps, {accuracy:.0%} of the validation posts are right (by chance: {chance:.0%}).",
            steps=training.steps[-1], accuracy=training.accuracy, chance=1 / _CLASSES,
        )  # fmt: skip


def _gradients(training: WatchedTraining) -> str:
    first, last = training.layers[0].gradient[0], training.layers[-1].gradient[0]
    if not first:
        return "At the first step no gradient reaches the first layer."
    factor = last / first
    how = f"{brief(factor)} times smaller" if factor >= 1 else f"{brief(1 / factor)} times larger"
    return f"At the first step, gradients in the first layer are {how} than at the output."


def _updates(training: WatchedTraining) -> str:
    known = [ratio for layer in training.layers if np.isfinite(ratio := float(np.median(layer.ratio))) and ratio > 0]
    if not known:
        return "All weights stay at zero, because their gradients are zero: only the output's biases learn."
    return (
        f"Median update relative to the weights: {brief(min(known))} to {brief(max(known))}, by layer; the rule of "
        f"thumb is {WANTED:g}."
    )


def _table(training: WatchedTraining) -> None:
    """Show layer by layer what is said of the extremes, and the loss from the first to the last step."""
    layers = training.layers
    st.dataframe(
        {
            "Layer": [layer.name for layer in layers],
            "Median update / weights": [_written(np.median(layer.ratio)) for layer in layers],
            "Gradient, first step": [_written(layer.gradient[0]) for layer in layers],
            "Spread of activations, first step": [_written(layer.spread[0]) for layer in layers],
            "Flat or off, last step": [
                f"{layer.flat[-1]:.0%}" if place < len(layers) - 1 else "–" for place, layer in enumerate(layers)
            ],
        },
        hide_index=True,
    )
    st.caption(
        f"Loss of the batch: {training.losses[0]:.2f} nats at first, {training.losses[-1]:.2f} at the end; guessing by "
        f"chance costs {np.log(_CLASSES):.2f}."
    )


def _written(value: np.floating) -> str:
    return brief(float(value)) if np.isfinite(value) else "–"


def explained(trials: Trials) -> str:
    """Return how the view is to be read."""
    hidden = trials.facts["hidden"]
    layers = len(hidden) if isinstance(hidden, list) else 0
    return f"""
A network of {layers} hidden layers of 64 units on bags of words of 20 Newsgroups, SGD, batches of 100, measured every
ten steps.

**Update over weights**, $\\lVert \\eta\\,g_l \\rVert / \\lVert W_l \\rVert$ for each layer $l$. About 1/1,000
(dashed) is a rule of thumb from CS231n's notes, not a law: a layer with much less hardly learns, one with much more
jumps about.

**Spread of activations**: the standard deviation of a layer's activations. If it shrinks or grows from layer to layer,
the initialisation does not fit the activation function (Glorot and Bengio 2010).

**Flat or off**: the share of activations where a ReLU is off (its derivative is 0), or where the derivative of a
sigmoid or tanh is below a twentieth of its maximum. About half is usual for ReLUs.

**Size of gradients**: the root mean square of $\\delta_l = \\partial L / \\partial z_l$ of one example's loss. Where it
shrinks towards the first layer, gradients vanish.

One seed of each: an illustration, not a comparison. Made on {trials.created} ({trials.device}):
`python -m nlpviz train-curves babysitting --write`.
"""
