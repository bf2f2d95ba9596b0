"""The plane through the epochs of a real training: which one, its figure, and both losses in words."""

from __future__ import annotations

import numpy as np
import streamlit as st

from nlpviz.feedforward.experiments.optimisers import GROUP, TOGETHER
from nlpviz.feedforward.stored import planes
from nlpviz.figures.feedforward.plane import epoch_plane
from nlpviz.optimisers import optimisers
from nlpviz.results.descents import EpochPlane
from nlpviz.results.feedforward import Trials
from nlpviz.snippets import feedforward as snippets
from nlpviz.ui import plotly_view, widgets
from nlpviz.ui.cache import figure
from nlpviz.ui.feedforward import cache
from nlpviz.ui.feedforward.choice import formulas
from nlpviz.ui.feedforward.verdicts import differences, told_apart
from nlpviz.ui.frame import answer, details, takeaway

_BASE = "sgd"


def pick(trials: Trials) -> EpochPlane:
    """Return the plane that the visitor chose: of several optimisers from the same weights, or of one."""
    there, titles = planes(trials), _titles()
    names = [TOGETHER, *(name for name in there if name != TOGETHER)]
    label = f"{len(there[TOGETHER].paths)} together"
    return there[widgets.pick("plane", "Optimiser", names, lambda name: titles.get(name, label))]


def show(trials: Trials, plane: EpochPlane) -> None:
    """Show the plane and the race on the test examples, and say what they show."""
    titles = _titles()
    takeaway("Two directions explain {share:.0%} of the variance of the weights.", share=float(sum(plane.share)))
    drawn = figure(("epoch_plane", *cache.made(trials), plane.name), lambda: epoch_plane(plane, titles))
    plotly_view.show(drawn, key="epoch_plane", code=snippets.plane(trials.name, plane.name))
    _describe(plane, titles)
    st.header("How far the optimisers got, over several seeds", anchor=False)
    code = snippets.reached(trials.name, GROUP, _BASE)
    plotly_view.show(cache.reached(trials, GROUP, _BASE), key="optimisers_reached", code=code)
    answer("{said}", said=told_apart(trials, GROUP, _BASE))
    with details("Test accuracy of each optimiser"):
        st.dataframe(differences(trials, GROUP, _BASE), hide_index=True)
    code = snippets.learnt(trials.name, GROUP)
    plotly_view.show(cache.learnt(trials, GROUP), key="optimisers_learnt", code=code)


def _describe(plane: EpochPlane, titles: dict[str, str]) -> None:
    """Say where the plane is furthest off in loss, and fold both losses after the last epoch."""
    gaps = {name: np.abs(plane.projected[name] - plane.true[name]) for name in plane.paths}
    widest = max(gaps, key=lambda name: float(gaps[name].max()))
    epoch = int(gaps[widest].argmax())
    answer(
        "The plane is furthest off at epoch {epoch} of {title}: it shows a loss of {projected:.2g} nats, the weights "
        "have {true:.2g}.",
        epoch=epoch, title=titles[widest], projected=float(plane.projected[widest][epoch]),
        true=float(plane.true[widest][epoch]),
    )  # fmt: skip
    with details():
        st.dataframe(
            {
                "Optimiser": [titles[name] for name in plane.paths],
                "True loss after the last epoch (nats)": [f"{plane.true[name][-1]:.3f}" for name in plane.paths],
                "Projected on the plane (nats)": [f"{plane.projected[name][-1]:.3f}" for name in plane.paths],
            },
            hide_index=True,
            width="content",
        )


def _titles() -> dict[str, str]:
    return {name: one.title for name, one in optimisers().items()}


def explained(trials: Trials, plane: EpochPlane) -> str:
    """Return how the view is to be read."""
    epochs = len(next(iter(plane.paths.values()))) - 1
    return f"""
**The plane.** The weights after each of {epochs} epochs (0 is before training) are points of a space with as many axes
as there are weights, 129,364. The plane is that of their first two principal components,
$\\theta(a, b) = \\bar\\theta + a\\,u_1 + b\\,u_2$ (Lorch 2016; Li et al. 2018, section 7), and the colour is the
loss of
$\\theta(a, b)$ on 1,000 training posts, on a logarithmic scale.

**True and projected.** The weights of an epoch do not lie on the plane. The contour under a mark is the loss of their
projection, $\\theta(a_e, b_e)$, not of the weights $\\theta_e$ themselves: the right panel shows both, epoch by epoch.
Where they differ, the valley in the picture is not the one that the training went through.

**The race.** Bags of 2,000 words of 20 Newsgroups, one hidden layer of 64 ReLUs, batches of 100,
{len(trials.of(GROUP, _BASE))} seeds. Each optimiser has the rate of eleven from 0.0001 to 10 with the best validation
accuracy, on a seed that is not among these. The test posts are measured once for each training, at its best epoch by
validation accuracy. Intervals are by Student's t over seeds: they cover what other initial weights and orders would
change, not what other test posts would. Those of the comparisons with {optimisers()[_BASE].title} hold together with
95% (Bonferroni).

{formulas(list(plane.paths))}

Made on {trials.created} ({trials.device}) in {trials.seconds / 60:.0f} minutes of training steps:
`python -m nlpviz train-curves optimisers --write`.
"""
