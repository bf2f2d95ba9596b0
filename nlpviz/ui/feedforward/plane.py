"""The plane through the epochs of a real training: which one, its figure, and both losses in words."""

from __future__ import annotations

import numpy as np
import streamlit as st

from nlpviz.feedforward.experiments.optimisers import GROUP, TOGETHER
from nlpviz.feedforward.stored import planes
from nlpviz.figures.feedforward.plane import epoch_plane
from nlpviz.figures.feedforward.trials import learnt, reached
from nlpviz.optimisers import optimisers
from nlpviz.results.descents import EpochPlane
from nlpviz.results.feedforward import Trials
from nlpviz.snippets import feedforward as snippets
from nlpviz.ui import plotly_view, widgets
from nlpviz.ui.feedforward.choice import formulas, listed
from nlpviz.ui.feedforward.verdicts import told_apart
from nlpviz.ui.frame import answer

_BASE = "sgd"


def pick(trials: Trials) -> EpochPlane:
    """Return the plane that the visitor chose: of several optimisers from the same weights, or of one."""
    there, titles = planes(trials), _titles()
    names = [TOGETHER, *(name for name in there if name != TOGETHER)]
    label = f"{len(there[TOGETHER].paths)} of them together"
    return there[widgets.pick("plane", "Optimiser", names, lambda name: titles.get(name, label))]


def show(trials: Trials, plane: EpochPlane) -> None:
    """Show the plane, the race on the test examples, and say what they hold."""
    plotly_view.show(epoch_plane(plane, _titles()), key="epoch_plane", code=snippets.plane(trials.name, plane.name))
    for sentence in _said(plane):
        answer("{said}", said=sentence)
    st.header("How far they got, over several seeds", anchor=False)
    code = snippets.reached(trials.name, GROUP)
    plotly_view.show(reached(trials, GROUP, _BASE), key="optimisers_reached", code=code)
    answer("{said}", said=told_apart(trials, GROUP, _BASE))
    plotly_view.show(learnt(trials, GROUP), key="optimisers_learnt", code=snippets.learnt(trials.name, GROUP))


def _said(plane: EpochPlane) -> list[str]:
    titles = _titles()
    share = f"The plane holds {sum(plane.share):.0%} of the variance of the weights along the path"
    gaps = {name: np.abs(plane.projected[name] - plane.true[name]) for name in plane.paths}
    widest = max(gaps, key=lambda name: float(gaps[name].max()))
    epoch = int(gaps[widest].argmax())
    said = (
        f"{share}. Where the projection is furthest off in loss ({titles[widest]}, epoch {epoch}), the true loss is "
        f"{plane.true[widest][epoch]:.3f} nats, and that of the projection {plane.projected[widest][epoch]:.3f}."
    )
    ends = [
        f"{titles[name]} {plane.true[name][-1]:.3f} (projected {plane.projected[name][-1]:.3f})" for name in plane.paths
    ]
    return [said, f"After the last epoch, the true loss in nats: {listed(ends)}."]


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

**True and projected.** The weights of an epoch do not lie on the plane. A contour under a mark is the loss of their
projection, $\\theta(a_e, b_e)$, not that of the weights $\\theta_e$: both are drawn on the right, epoch by epoch. Where
they
differ, the picture's valley is not the one that was walked.

**The race.** Bags of 2,000 words of 20 Newsgroups, one hidden layer of 64 ReLUs, batches of 100,
{len(trials.of(GROUP, _BASE))} seeds. Each optimiser has the rate of eleven from 0.0001 to 10 with the best validation
accuracy, on a seed that is not among these. The test posts are measured once for each training, at its best epoch by
validation accuracy. Intervals are by Student's t over seeds: they hold what other initial weights and orders would
change, not what other test posts would. Those of the comparisons with {optimisers()[_BASE].title} hold together with
95 % (Bonferroni).

{formulas(list(plane.paths))}

Made on {trials.created} ({trials.device}) in {trials.seconds / 60:.0f} minutes of training steps:
`python -m nlpviz train-curves optimisers --write`.
"""
