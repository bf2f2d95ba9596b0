"""Losses, activations, initialisations and dropout on a page: which kind, what each choice reaches, what it is."""

from __future__ import annotations

import numpy as np
import streamlit as st

from nlpviz.experiments.feedforward import known_activations, known_initialisations, known_losses
from nlpviz.experiments.feedforward.experiments.choices import BASE
from nlpviz.experiments.feedforward.functions import activations_at, losses_at
from nlpviz.figures.feedforward.curves import activation_curves, loss_curves
from nlpviz.results.feedforward import Trials
from nlpviz.ui import plotly_view
from nlpviz.ui.calls import Call
from nlpviz.ui.feedforward.choice import show_learnt, show_reached
from nlpviz.ui.feedforward.verdicts import differences, tell_best, told_apart
from nlpviz.ui.frame import answer, details

TITLES = {"loss": "Losses", "activation": "Activations", "initialisation": "Initialisations", "dropout": "Dropout"}


def show(trials: Trials, group: str) -> None:
    """Show what each choice reaches, what the interval tells apart, and how they learnt."""
    base = BASE[group]
    tell_best(trials, group, base)
    show_reached(trials, group, base, key=f"reached_{group}")
    answer("{said}", said=told_apart(trials, group, base))
    with details():
        st.dataframe(differences(trials, group, base), hide_index=True)
        st.caption(
            "Ten epochs of SGD with three hidden layers; more epochs or another optimiser may change the ranking. "
            "For dropout with Adam, one hidden layer and 40 epochs, see *Learning rate* (early stopping)."
        )
    if group == "activation":
        z = Call(np.linspace, -5, 5, 201)
        plotly_view.show(Call(activation_curves, z, Call(activations_at, z)), key="functions_activation")
    if group == "loss":
        z = Call(np.linspace, -8, 8, 161)
        plotly_view.show(Call(loss_curves, z, Call(losses_at, z)), key="functions_loss")
        st.caption(_saturation())
    show_learnt(trials, group, key=f"learnt_{group}")


def _saturation() -> str:
    """Return what two losses make of an output that is as wrong as can be, and saturated."""
    known, z = known_losses(), np.array([[-8.0, 0.0]])
    squared, entropy = (
        known[name].grade(z, np.array([0])).gradient[0, 0]
        for name in ("squared-error-of-sigmoids", "sigmoid-cross-entropy")
    )
    return (
        f"If the sigmoid of the correct class is saturated near 0 (z = −8), the gradient is {abs(squared):.2g} for "
        f"the squared error and {abs(entropy):.2g} for the cross-entropy."
    )


def explained(trials: Trials, group: str) -> str:
    """Return how the view is to be read, with the formulas of what is compared."""
    seeds = len(trials.of(group, BASE[group]))
    return f"""
One choice is varied at a time; the other settings are {", ".join(f"{key} {value}" for key, value in BASE.items())}.
Bags of 2,000 words of 20 Newsgroups, three hidden layers of 64 units, SGD, ten epochs, {seeds} seeds. Each option uses
the learning rate with the best validation accuracy among eight rates (0.001 to 3), chosen on another seed; two more
seeds decide between the two best rates. Test accuracy is measured once per training run, at the epoch with the best
validation accuracy.

The bars are 95% intervals of the mean over seeds (Student’s t). “Better” and “worse” mean that the interval of the
paired difference (same seeds) excludes 0, with a Bonferroni correction over all options. The intervals cover variation
in initial weights and data order, not in the posts or the architecture.

{_formulas(group)}

Different losses have different units, so compare accuracies, not loss curves. Created on {trials.created}
({trials.device}): `python -m nlpviz train-curves choices --write`.
"""


def _formulas(group: str) -> str:
    known = {"loss": known_losses(), "activation": known_activations(), "initialisation": known_initialisations()}
    if group in known:
        lines = [f"- **{one.title}**: ${one.formula}$" for one in known[group].values()]  # type: ignore[attr-defined]
        return "\n".join(lines)
    return (
        "**Dropout** (Srivastava et al. 2014): during training, each hidden unit is set to 0 with probability p, "
        "and the other units are divided by 1 − p. At test time, no unit is dropped."
    )
