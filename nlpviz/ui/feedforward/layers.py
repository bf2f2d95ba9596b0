"""Babysitting a training, on a page: which one, its layers by step, and what is wrong with it in words."""

from __future__ import annotations

import numpy as np

from nlpviz.feedforward.stored import watched
from nlpviz.figures.feedforward.layers import WANTED, by_layer
from nlpviz.figures.numbers import brief
from nlpviz.results.feedforward import Trials
from nlpviz.results.layers_watched import WatchedTraining
from nlpviz.snippets import feedforward as snippets
from nlpviz.ui import plotly_view, widgets
from nlpviz.ui.frame import answer


def pick(trials: Trials) -> WatchedTraining:
    """Return the training that the visitor chose."""
    there = watched(trials)
    return there[widgets.pick("training", "Training", list(there), lambda name: there[name].title)]


def show(training: WatchedTraining) -> None:
    """Show its layers, and say what they show."""
    plotly_view.show(by_layer(training), key="by_layer", code=snippets.layers("babysitting", training.name))
    for sentence in said(training):
        answer("{said}", said=sentence)


def said(training: WatchedTraining) -> list[str]:
    """Return what the layers show: how it ended, its updates, its gradients, its units."""
    if training.diverged is not None:
        end = f"The training diverged at step {training.diverged:,}: its loss was no usable number any more."
    else:
        end = (
            f"After {training.steps[-1]:,} steps the batch's loss is {training.losses[-1]:.2f} nats (at first "
            f"{training.losses[0]:.2f}; guessing by chance costs {np.log(20):.2f}), and {training.accuracy:.1%} of the "
            "validation posts are right."
        )
    ratios = {layer.name: float(np.median(layer.ratio)) for layer in training.layers}
    known = {name: ratio for name, ratio in ratios.items() if np.isfinite(ratio) and ratio > 0}
    if known:
        low, high = min(known, key=lambda name: known[name]), max(known, key=lambda name: known[name])
        about = (
            f"Median update over weights: from {brief(known[low])} ({low}) to {brief(known[high])} ({high}); the "
            f"rule of thumb is {WANTED:g}."
        )
    else:
        about = "No weight was changed from zero, for all their gradients are zero: only the output's biases learn."
    return [end, about, _gradients(training), _units(training)]


def _gradients(training: WatchedTraining) -> str:
    first, last = training.layers[0].gradient[0], training.layers[-1].gradient[0]
    if not first:
        return "At the first step no gradient reaches the first layer."
    factor = last / first
    how = f"{brief(factor)} times smaller" if factor >= 1 else f"{brief(1 / factor)} times larger"
    return f"At the first step the gradients in the first layer are {how} than those at the output."


def _units(training: WatchedTraining) -> str:
    hidden = training.layers[:-1]
    worst = max(hidden, key=lambda layer: float(layer.flat[-1]))
    spread = f"The spread of activations goes from {brief(float(hidden[0].spread[0]))} in the first hidden layer to "
    return (
        f"{spread}{brief(float(hidden[-1].spread[0]))} in the last one at the first step; at the end at most "
        f"{worst.flat[-1]:.0%} of a layer's values are flat or off ({worst.name})."
    )


def explained(trials: Trials) -> str:
    """Return how the view is to be read."""
    hidden = trials.facts["hidden"]
    layers = len(hidden) if isinstance(hidden, list) else 0
    return f"""
A network of {layers} hidden layers of 64 units on bags of words of 20 Newsgroups, SGD, batches of 100, watched every
ten
steps. The first layer is grey, the output dotted.

**Update over weights**, $\\lVert \\eta\\,g_l \\rVert / \\lVert W_l \\rVert$ for each layer $l$. About 1/1,000
(dashed) is a
rule of thumb of CS231n's notes, not a law: much lower, and the layer hardly learns; much higher, and it jumps about.

**Spread of activations**: the standard deviation of what a layer's units answer. If it shrinks or grows from layer to
layer, the initialisation does not fit the activation (Glorot and Bengio 2010).

**Flat or off**: the share of answers where a ReLU is off (its derivative is 0), or where a sigmoid's or tanh's
derivative is below a twentieth of its largest. About half is usual for ReLUs.

**Size of gradients**: the root mean square of $\\delta_l = \\partial L / \\partial z_l$ of one example's loss. Where it
shrinks towards the first layer, gradients vanish.

One seed of each: an illustration, not a comparison. Made on {trials.created} ({trials.device}):
`python -m nlpviz train-curves babysitting --write`.
"""
