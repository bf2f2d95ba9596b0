"""What pages show and say of slow points: where a network rests, how long it remembers there, whether on a line."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st

from nlpviz.figures import panels
from nlpviz.figures.numbers import number, unit_of_push
from nlpviz.figures.recurrence.slow_points import slow_points_map, time_constant_curves
from nlpviz.figures.recurrence.state_path import DrawnPath
from nlpviz.results.dynamics import APART, LASTING, SLOW, Dynamics, SlowPoints
from nlpviz.results.state_plane import StatePlane
from nlpviz.results.state_space import StateSpace
from nlpviz.runs import Checkpoint, Run
from nlpviz.runs.dynamics import keeps_dynamics
from nlpviz.ui import plotly_view, widgets
from nlpviz.ui.calls import Call
from nlpviz.ui.frame import answer, details
from nlpviz.ui.recurrence import states_cache
from nlpviz.ui.run_filter import RECURRENT

INPUTS = {"mean": "the mean word vector", "zero": "no input (zero vector)"}
_NARROW, _FEW, _ALONG, _ALIGNED, _WIDE = 0.02, 6, 0.7, 0.5, 0.3
"""Below this spread it is one point; so many different places are points of their own; from these on a line may be one:
share of variance, cosine, spread."""
_LONGEST = 10_000.0  # words


def pick_input() -> str:
    """Return which input the network reads again and again."""
    with st.columns([1, 2])[0]:
        return widgets.pick("input", "Input for slow points", INPUTS)


def show(checkpoints: Sequence[Checkpoint], paths: Sequence[Call[DrawnPath]], plane: str) -> None:
    """Show the slow points of the checkpoints whose run keeps some, and the first run's at every kept epoch."""
    run = checkpoints[0].run
    if not RECURRENT.able(run):
        st.markdown(
            "In this network, a state depends on more than the previous state and the current word, so fixed points "
            "are undefined. Choose a causal recurrent network."
        )
        return
    word = pick_input()
    there = [
        (one, drawn)
        for (own, epoch), drawn in zip(checkpoints, paths, strict=True)
        if keeps_dynamics(own, (target := drawn().path.target))
        and (one := slow_points(own, epoch, word, target))() is not None
    ]
    if not there:
        widgets.tell_unmeasured(run, "Where the state settles")
        return
    calls = [one for one, _ in there]
    planes = [Call(StatePlane.of, drawn.get("space"), drawn.get("path"), plane) for _, drawn in there]
    chosen = panels.reference(_found(calls))
    chosen_space = panels.reference([drawn() for _, drawn in there]).space
    names, path = there[0][1].get("path").get("class_names"), there[0][1]().path
    unit = unit_of_push(len(path.class_names))
    answer(_in_short(chosen))
    every = _kept(run, word, path.target)
    left, right = st.columns([3, 2], gap="medium") if len(calls) == 1 else (st.container(), st.container())
    with left:
        plotly_view.show(Call(slow_points_map, calls, planes, names, path.target), key="slow_points")
    if every:
        with right:
            plotly_view.show(Call(time_constant_curves, every, run.title), key="time_constants")
        _show_table(run, _found(every), unit)
    with details():
        st.markdown(said(chosen, chosen_space, unit))


def explain() -> None:
    """Say what slow points are, and how they were looked for."""
    st.latex(r"q(h) = \tfrac12 \lVert F(h) - h \rVert^2, \qquad F(h + \delta) \approx F(h) + J \delta, \qquad")
    st.latex(r"\tau_k = \left\lvert \frac{1}{\ln \lvert \lambda_k \rvert} \right\rvert")
    st.markdown(
        """
**Slow points** minimise q, where F is one step of the network with a constant input (Sussillo and Barak 2013). The
search uses Adam in double precision, starts from states of test documents and keeps each dimension within the range
that occurs in documents. The eigenvalues λ of the Jacobian J at a slow point give time constants τ: after τ words, a
perturbation has shrunk by a factor of e, or grown by this factor where |λ| > 1 (diamonds). On a **line attractor**,
perturbations along one direction hardly decay, so the state can stay anywhere along a line and accumulate sentiment;
the line runs along the class direction (Maheswaranathan et al. 2019). A slow point is not always a fixed point, and
real words keep moving the state along the line and away from it. A Skip RNN is treated as if it updated at every word.
"""
    )


def slow_points(run: Run, epoch: int, word: str, target: int) -> Call[SlowPoints | None]:
    """Return a run's slow points for one input at one epoch, with a class's scores; None where it keeps none."""
    return Call(Dynamics.slow_points, states_cache.dynamics(run, epoch, target), word)


def _found(calls: Sequence[Call[SlowPoints | None]]) -> list[SlowPoints]:
    return [points for call in calls if (points := call()) is not None]


def _kept(run: Run, word: str, target: int) -> list[Call[SlowPoints | None]]:
    """Return a run's slow points at every kept epoch."""
    if not keeps_dynamics(run, target):
        return []
    return [call for epoch in run.surveyed if (call := slow_points(run, epoch, word, target))() is not None]


def _show_table(run: Run, every: Sequence[SlowPoints], unit: str) -> None:
    """Show what is known of the slow points at every kept epoch."""
    st.table(
        {
            "Epoch": [f"{one.epoch}{' (best)' * (one.epoch == run.best_epoch)}" for one in every],
            "Fixed points, slow points": [f"{one.fixed.sum()}, {(one.slow & ~one.fixed).sum()}" for one in every],
            "Distinct points": [str(one.places_apart()) for one in every],
            unit.capitalize(): [_range(one) for one in every],
            "Largest τ": [_words(_longest(one)[0]) for one in every],
            "Second-largest τ": [_words(_longest(one)[1]) for one in every],
            f"Directions with τ > {LASTING:g}": [f"{np.median(one.lasting):g}" for one in every],
            "Variance on first axis": [
                f"{one.shares[0]:.0%}" if one.spread > _NARROW else "single point" for one in every
            ],
            "Spread": [f"{one.spread:.2f}" for one in every],
            "Cosine": [f"{one.cosine:.2f}" if one.spread > _NARROW else "" for one in every],
        },
        hide_index=True,
        border="horizontal",
    )
    st.caption(
        f"Distinct points are more than {APART:g} of a typical step apart. The two τ are medians over the slow "
        f"points. Variance on first axis: share of the slow points’ variance along their first principal axis. "
        f"Spread: their standard deviation along this axis, relative to the documents’ states. Cosine: between this "
        f"axis and the class direction."
    )


def _in_short(one: SlowPoints) -> str:
    """Return in one sentence what the slow points of one epoch are."""
    places = one.places_apart()
    if int(one.slow.sum()) < 3:
        verdict = "too few to form a line"
    elif one.spread < _NARROW or places == 1:
        verdict = "all of them **the same point**"
    elif places <= _FEW:
        verdict = f"only **{places} distinct points**, not a line"
    elif one.shares[0] >= _ALONG and one.cosine >= _ALIGNED and one.spread >= _WIDE:
        verdict = "**close to a line along the class direction**"
    else:
        verdict = "**not close to a line** along the class direction"
    return (
        f"Epoch {one.epoch} (input: {INPUTS[one.input]}): {int(one.slow.sum())} of {len(one.speeds)} searches end "
        f"at slow points, {verdict}."
    )


def said(one: SlowPoints, space: StateSpace, unit: str) -> str:
    """Return what the slow points of one epoch are, and whether they are close to a line attractor."""
    count, slow = len(one.speeds), int(one.slow.sum())
    longest, following = _longest(one)
    begins = (
        f"Epoch {one.epoch} (input: {INPUTS[one.input]}): of {count} searches that start from states of documents, "
        f"**{slow}** end at slow points (where a step moves the state by less than {SLOW:.0%} of a typical step); "
        f"{int(one.fixed.sum())} of these appear to be fixed points. "
    )
    if slow < 3:
        return begins + "These are too few to form a line."
    memory = (
        f"At the slow points, a perturbation takes **{_words(longest)}** (median τ) to shrink or grow by a factor "
        f"of e in the slowest direction, and {_words(following)} in the second-slowest. "
    )
    return begins + memory + verdict(one, space, unit)


def verdict(one: SlowPoints, space: StateSpace, unit: str) -> str:
    """Return in words whether slow points lie on a line along the class direction, with the numbers that say so."""
    places = one.places_apart()
    if one.spread < _NARROW or places == 1:
        return "All slow points are **the same point**, so there is no line."
    numbers = (
        f"{one.shares[0]:.0%} of their variance lies along one axis (for the documents’ states: "
        f"{space.shares[0]:.0%}) and {one.shares[:2].sum():.0%} along two; the first axis has a cosine of "
        f"{one.cosine:.2f} with the class direction, and the slow points are spread {one.spread:.2f} times as "
        f"widely along this axis as the documents’ states"
    )
    growing = int((one.unstable[one.slow] > 0).sum())
    if places <= _FEW:
        return (
            f"There are only **{places} distinct points** ({unit} {_range(one)}); {growing} of the searches end "
            f"where a perturbation grows. A few separate points do not form a line, although {numbers}."
        )
    if one.shares[0] >= _ALONG and one.cosine >= _ALIGNED and one.spread >= _WIDE:
        attracts = f"At {growing} of the {int(one.slow.sum())} slow points, a perturbation grows in some direction"
        lasting = float(np.median(one.lasting[one.slow]))
        if lasting < 1:
            attracts += (
                f", and the median number of directions with τ > {LASTING:g} words is zero, so this is not a "
                f"line attractor."
            )
        elif lasting > 1:
            attracts += (
                f", and the median number of directions with τ > {LASTING:g} words is {lasting:g}, which suggests "
                f"a slow region of several dimensions rather than a line attractor."
            )
        else:
            attracts += ", so the line is not an attractor everywhere." if growing else ", as on a line attractor."
        return (
            f"The slow points lie **close to a line along the class direction**, {unit} {_range(one)}: "
            f"{numbers}. {attracts}"
        )
    return f"The slow points are **not close to a line along the class direction**: {numbers}."


def _longest(one: SlowPoints) -> tuple[float, float]:
    """Return the medians of the two longest time constants."""
    medians = np.median(one.longest(), axis=0)
    return float(medians[0]), float(medians[1]) if len(medians) > 1 else 0.0


def _range(one: SlowPoints) -> str:
    chosen = one.scores[one.slow] if one.slow.any() else one.scores
    low, high = number(float(chosen.min())), number(float(chosen.max()))
    return low if low == high else f"{low} to {high}"


def _words(value: float) -> str:
    if value > _LONGEST:
        return f"more than {_LONGEST:,.0f} words"
    return f"{value:,.0f} word{'s' * (round(value) != 1)}"
