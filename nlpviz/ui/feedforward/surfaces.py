"""Optimisers on a loss surface of two parameters: what is chosen, the race, and what it shows in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import streamlit as st

from nlpviz.experiments.feedforward import FeedForwardError, Surface, known_surfaces
from nlpviz.experiments.feedforward.descent import own_rates, race
from nlpviz.figures.feedforward.surface import surface_race
from nlpviz.figures.numbers import brief
from nlpviz.results.descents import SurfacePath, SurfaceRace
from nlpviz.ui import plotly_view, widgets
from nlpviz.ui.cache import shared
from nlpviz.ui.calls import Call
from nlpviz.ui.feedforward.choice import formulas, listed
from nlpviz.ui.frame import answer, details, explain_error, more, takeaway

_OWN = "own"
_RATES = (_OWN, "0.001", "0.003", "0.01", "0.03", "0.1", "0.3", "1")
_STEPS = ("200", "50", "500", "2000")
_NOISES = ("0", "0.1", "0.5", "2")
_ORDER = ("ravine", "saddle", "plateau", "beale", "rosenbrock")


class SurfaceChoice(NamedTuple):
    """What a visitor chose: surface, rate (None for each optimiser's best one), steps, noise, start."""

    surface: str
    rate: float | None
    steps: int
    noise: float
    start: tuple[float, float]


def pick_surface() -> Surface:
    """Return the surface that the visitor chose."""
    known = known_surfaces()
    names = [*(name for name in _ORDER if name in known), *(name for name in known if name not in _ORDER)]
    return known[widgets.pick("surface", "Surface", names, lambda name: known[name].title)]


def pick(surface: Surface) -> SurfaceChoice:
    """Return how it is descended."""
    rate = widgets.pick("eta", "Learning rate", _RATES, lambda one: "best for each optimiser" if one == _OWN else one)
    with more():
        steps, noise = widgets.pick("descent", "Steps", _STEPS), widgets.pick("noise", "Gradient noise", _NOISES)
        places = [
            widgets.number(f"{axis}0", f"Start, {axis}", default, limits, 0.1, "All optimisers start here.")
            for axis, default, limits in (("x", surface.start[0], surface.x), ("y", surface.start[1], surface.y))
        ]
    chosen = None if rate == _OWN else float(rate)
    return SurfaceChoice(surface.name, chosen, int(steps), float(noise), (places[0], places[1]))


def show(choice: SurfaceChoice, names: Sequence[str]) -> None:
    """Show the race, and say who came how near to the minimum."""
    try:
        call = _raced(choice, tuple(names))
    except FeedForwardError as error:
        explain_error(str(error))
        return
    raced = call()
    _tell(raced, choice)
    plotly_view.show(Call(surface_race, call, choice.steps), key="surface_race")
    _describe(raced, choice)


@shared(32, "Running the optimisers…")
def _raced(choice: SurfaceChoice, names: tuple[str, ...]) -> Call[SurfaceRace]:
    surface, asked = Call(known_surfaces).at(choice.surface), (choice.start, choice.steps, choice.noise)
    own = choice.rate is None
    return Call(
        race, surface, Call(own_rates, surface, names, *asked) if own else dict.fromkeys(names, choice.rate), *asked
    )


def _tell(raced: SurfaceRace, choice: SurfaceChoice) -> None:
    """Say which optimiser is lowest after the last step."""
    there = [path for path in raced.paths if not path.left]
    if not there:
        takeaway("Every optimiser left the surface: the learning rate is too large.")
        return
    best = min(there, key=lambda path: path.losses[-1])
    takeaway(
        "After {steps:,} steps, {title} is lowest: {loss} above the minimum.",
        steps=choice.steps, title=best.title, loss=_above(raced, best),
    )  # fmt: skip


def _describe(raced: SurfaceRace, choice: SurfaceChoice) -> None:
    """Say which descents left the surface, and fold what each reached at which rate."""
    if gone := [path for path in raced.paths if path.left]:
        answer("{left} left the surface: the learning rate is too large here.", left=listed([p.title for p in gone]))
    with details():
        st.dataframe(
            {
                "Optimiser": [path.title for path in raced.paths],
                "Learning rate": [f"{path.rate:g}" for path in raced.paths],
                "Loss above the minimum": ["–" if path.left else _above(raced, path) for path in raced.paths],
                "Left the surface": [f"step {len(path.losses):,}" if path.left else "no" for path in raced.paths],
            },
            hide_index=True,
            width="content",
        )
        if choice.rate is None:
            st.caption(
                "Each learning rate is the best of ten for this surface, starting point and number of steps, judged "
                "by the loss after the last step. On another surface, the ranking may change."
            )


def _above(raced: SurfaceRace, path: SurfacePath) -> str:
    return brief(max(float(path.losses[-1]) - raced.lowest, 0))


def explained(surface: Surface, names: Sequence[str]) -> str:
    """Return how the view is to be read, with the formulas of what races."""
    return f"""
**{surface.title}.** {surface.says} The loss is

$${surface.formula}$$

The colour is the logarithm of the loss above its minimum. All optimisers start at the same point and use the exact
gradient $g$; with noise, the same random numbers are added for every optimiser. A descent stops if it moves more than
three plot widths away. Two parameters illustrate the update rules, but not a network with a hundred thousand
parameters: for that, see *Real loss*.

{formulas(names)}
"""
