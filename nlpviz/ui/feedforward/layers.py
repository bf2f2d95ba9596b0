"""Babysitting a training, on a page: which one, its layers by step, and what is wrong with it in words."""

from __future__ import annotations

import numpy as np
import streamlit as st

from nlpviz.experiments.feedforward.stored import watched
from nlpviz.figures.feedforward.layers import WANTED, by_layer
from nlpviz.figures.numbers import brief
from nlpviz.results.feedforward import Trials
from nlpviz.results.layers_watched import WatchedTraining
from nlpviz.ui import plotly_view, widgets
from nlpviz.ui.calls import Call
from nlpviz.ui.feedforward.choice import read
from nlpviz.ui.frame import answer, details, takeaway

_CLASSES = 20  # newsgroups


def pick(trials: Trials) -> WatchedTraining:
    """Return the training that the visitor chose."""
    there = watched(trials)
    return there[widgets.pick("training", "Training", there)]


def show(trials: Trials, training: WatchedTraining) -> None:
    """Show its layers, and say what they show."""
    _tell(training)
    plotly_view.show(Call(by_layer, Call(watched, read(trials)).at(training.name)), key="by_layer")
    answer("{said}", said=_gradients(training))
    answer("{said}", said=_updates(training))
    with details():
        _table(training)


def _tell(training: WatchedTraining) -> None:
    """Say how a training ended."""
    if training.diverged is not None:
        takeaway("Training diverged at step {step:,}.", step=training.diverged)
    else:
        takeaway(
            "After {steps:,} steps, validation accuracy is {accuracy:.0%} (chance: {chance:.0%}).",
            steps=training.steps[-1], accuracy=training.accuracy, chance=1 / _CLASSES,
        )  # fmt: skip


def _gradients(training: WatchedTraining) -> str:
    first, last = training.layers[0].gradient[0], training.layers[-1].gradient[0]
    if not first:
        return "At the first step, no gradient reaches the first layer."
    factor = last / first
    how = f"{brief(factor)} times smaller" if factor >= 1 else f"{brief(1 / factor)} times larger"
    return f"At the first step, gradients in the first layer are {how} than at the output."


def _updates(training: WatchedTraining) -> str:
    known = [ratio for layer in training.layers if np.isfinite(ratio := float(np.median(layer.ratio))) and ratio > 0]
    if not known:
        return "All weights stay at zero, because their gradients are zero: only the output’s biases learn."
    return (
        f"The median update-to-weight ratio is {brief(min(known))} to {brief(max(known))} across layers (rule of "
        f"thumb: {WANTED:g})."
    )


def _table(training: WatchedTraining) -> None:
    """Show layer by layer what is said of the extremes, and the loss from the first to the last step."""
    layers = training.layers
    st.dataframe(
        {
            "Layer": [layer.name for layer in layers],
            "Median update-to-weight ratio": [_written(np.median(layer.ratio)) for layer in layers],
            "Gradient, first step": [_written(layer.gradient[0]) for layer in layers],
            "Std of activations, first step": [_written(layer.spread[0]) for layer in layers],
            "Saturated or inactive, last step": [
                f"{layer.flat[-1]:.0%}" if place < len(layers) - 1 else "–" for place, layer in enumerate(layers)
            ],
        },
        hide_index=True,
    )
    st.caption(
        f"Batch loss: {training.losses[0]:.2f} nats at the first step, {training.losses[-1]:.2f} at the last; "
        f"uniform guessing: {np.log(_CLASSES):.2f}."
    )


def _written(value: np.floating) -> str:
    return brief(float(value)) if np.isfinite(value) else "–"


def explained(trials: Trials) -> str:
    """Return how the view is to be read."""
    hidden = trials.facts["hidden"]
    layers = len(hidden) if isinstance(hidden, list) else 0
    return f"""
A network with {layers} hidden layers of 64 units, trained on bags of words of 20 Newsgroups with SGD and batches of
100, and measured every ten steps.

**Update-to-weight ratio**, $\\lVert \\eta\\,g_l \\rVert / \\lVert W_l \\rVert$ for each layer $l$. About 1/1,000
(dashed) is a rule of thumb from the CS231n notes: a layer with a much smaller ratio hardly learns, and a layer with a
much larger ratio is unstable.

**Std of activations**: the standard deviation of a layer’s activations. If the standard deviation shrinks or grows from
layer to layer, the initialisation does not suit the activation function (Glorot and Bengio 2010).

**Saturated or inactive**: the share of activations where a ReLU is inactive (its derivative is 0), or where the
derivative of a sigmoid or tanh is below 5% of its maximum. A share of about half is typical for ReLUs.

**RMS of gradients**: the root mean square of $\\delta_l = \\partial L / \\partial z_l$ for the loss of one example. If
this value shrinks towards the first layer, gradients vanish.

Each setting was run with one seed, so the figures are an illustration, not a comparison. Created on {trials.created}
({trials.device}): `python -m nlpviz train-curves babysitting --write`.
"""
