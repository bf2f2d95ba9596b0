"""The plane through the epochs of a real training: which one, its figure, and both losses in words."""

from __future__ import annotations

import numpy as np
import streamlit as st

from nlpviz.experiments.feedforward.experiments.optimisers import GROUP, TOGETHER
from nlpviz.experiments.feedforward.stored import planes
from nlpviz.experiments.optimisers import optimiser_titles, optimisers
from nlpviz.figures.feedforward.plane import epoch_plane
from nlpviz.results.descents import EpochPlane
from nlpviz.results.feedforward import Trials
from nlpviz.ui import plotly_view, widgets
from nlpviz.ui.calls import Call
from nlpviz.ui.feedforward.choice import formulas, read, show_learnt, show_reached
from nlpviz.ui.feedforward.verdicts import differences, told_apart
from nlpviz.ui.frame import answer, details, takeaway

_BASE = "sgd"


def pick(trials: Trials) -> EpochPlane:
    """Return the plane that the visitor chose: of several optimisers from the same weights, or of one."""
    there, titles = planes(trials), optimiser_titles()
    names = [TOGETHER, *(name for name in there if name != TOGETHER)]
    label = f"All {len(there[TOGETHER].paths)} optimisers on one plane"
    return there[widgets.pick("plane", "Optimiser", names, lambda name: titles.get(name, label))]


def show(trials: Trials, plane: EpochPlane) -> None:
    """Show the plane and the race on the test examples, and say what they show."""
    takeaway("Two directions explain {share:.0%} of the variance of the weights.", share=float(sum(plane.share)))
    through = Call(planes, read(trials)).at(plane.name)
    plotly_view.show(Call(epoch_plane, through, Call(optimiser_titles)), key="epoch_plane")
    _describe(plane, optimiser_titles())
    st.header("Test accuracy by optimiser, over several seeds", anchor=False)
    show_reached(trials, GROUP, _BASE, key="optimisers_reached")
    answer("{said}", said=told_apart(trials, GROUP, _BASE))
    with details("Differences between the optimisers"):
        st.dataframe(differences(trials, GROUP, _BASE), hide_index=True)
    show_learnt(trials, GROUP, key="optimisers_learnt")


def _describe(plane: EpochPlane, titles: dict[str, str]) -> None:
    """Say where the plane is furthest off in loss, and fold both losses after the last epoch."""
    gaps = {name: np.abs(plane.projected[name] - plane.true[name]) for name in plane.paths}
    widest = max(gaps, key=lambda name: float(gaps[name].max()))
    epoch = int(gaps[widest].argmax())
    answer(
        "The projection error is largest at epoch {epoch} of {title}: a loss of {projected:.2g} nats on the plane, "
        "{true:.2g} at the actual weights.",
        epoch=epoch, title=titles[widest], projected=float(plane.projected[widest][epoch]),
        true=float(plane.true[widest][epoch]),
    )  # fmt: skip
    with details():
        st.dataframe(
            {
                "Optimiser": [titles[name] for name in plane.paths],
                "True loss after the last epoch (nats)": [f"{plane.true[name][-1]:.3f}" for name in plane.paths],
                "Loss of the projection (nats)": [f"{plane.projected[name][-1]:.3f}" for name in plane.paths],
            },
            hide_index=True,
            width="content",
        )


def explained(trials: Trials, plane: EpochPlane) -> str:
    """Return how the view is to be read."""
    epochs = len(next(iter(plane.paths.values()))) - 1
    return f"""
**The plane.** The weights after each of {epochs} epochs (0 is before training) are points in a space with one dimension
per weight, 129,364 in total. The plane is spanned by their first two principal components, $\\theta(a, b) =
\\bar\\theta + a\\,u_1 + b\\,u_2$ (Lorch 2016; Li et al. 2018, section 7), and the colour is the loss of $\\theta(a, b)$
on 1,000 training posts, on a logarithmic scale.

**True and projected.** The weights of an epoch do not lie exactly on the plane. The contour under a mark shows the loss
of the projected weights, $\\theta(a_e, b_e)$, not of the actual weights $\\theta_e$. The right panel shows both losses
for every epoch. Where the two losses differ, the valley in the figure is not the valley that training went through.

**The comparison.** Bags of 2,000 words of 20 Newsgroups, one hidden layer of 64 ReLUs, batches of 100,
{len(trials.of(GROUP, _BASE))} seeds. Each optimiser uses the learning rate with the best validation accuracy among
eleven rates (0.0001 to 10), chosen on a separate seed. Test accuracy is measured once per training run, at the
epoch with the best validation accuracy. Intervals are Student’s t intervals over seeds: they cover variation in initial
weights and data order, not in the test posts. Comparisons with {optimisers()[_BASE].title} have 95% simultaneous
intervals (Bonferroni).

{formulas(list(plane.paths))}

Created on {trials.created} ({trials.device}) in {trials.seconds / 60:.0f} minutes of training:
`python -m nlpviz train-curves optimisers --write`.
"""
