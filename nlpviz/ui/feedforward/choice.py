"""Which optimisers, and the committed curves of an experiment: what several views ask."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from nlpviz.experiments.feedforward import FeedForwardError
from nlpviz.experiments.feedforward.stored import read_trials
from nlpviz.experiments.optimisers import optimisers
from nlpviz.figures.feedforward import trials as figures
from nlpviz.results.feedforward import Trials
from nlpviz.ui import plotly_view, widgets
from nlpviz.ui.calls import Call
from nlpviz.ui.frame import explain_error

_OPTIMISERS = "feedforward_optimisers"
FIRST = ("sgd", "momentum", "adam")


def pick_optimisers(default: Sequence[str] = FIRST) -> tuple[str, ...]:
    """Return the optimisers that are to race; the page ends where none is chosen."""
    known = optimisers()
    chosen = widgets.pick_some(_OPTIMISERS, "Optimisers", known, default, parameter="optimiser", draw=st.multiselect)
    if not chosen:
        st.info("Choose at least one optimiser.")
        st.stop()
    return tuple(name for name in known if name in chosen)


def stored(experiment: str) -> Trials:
    """Return the committed curves of an experiment; the page ends where there are none."""
    try:
        return read_trials(experiment)
    except FeedForwardError as error:
        explain_error(str(error))
        st.stop()


def show_reached(trials: Trials, group: str, base: str, key: str) -> None:
    """Show the test accuracy of each choice of a group beside that of ``base``, with intervals over seeds."""
    plotly_view.show(Call(figures.reached, read(trials), group, base), key=key)


def show_learnt(trials: Trials, group: str, key: str) -> None:
    """Show the losses and the validation accuracy of each choice of a group by epoch."""
    plotly_view.show(Call(figures.learnt, read(trials), group), key=key)


def read(trials: Trials) -> Call[Trials]:
    """Return the call that reads the committed curves of an experiment."""
    return Call(read_trials, trials.name)


def formulas(names: Sequence[str]) -> str:
    """Return the steps of some optimisers in Markdown, with what their constants are."""
    lines = []
    for name in names:
        one = optimisers()[name]
        constants = ", ".join(f"${symbol} = {_tex(value)}$" for symbol, value in one.constants.items())
        lines.append(
            f"**{one.title}.** {one.says}\n\n$${one.formula}$$\n\n{constants}{' · ' if constants else ''}{one.source}"
        )
    return "\n\n".join(lines)


def _tex(value: float) -> str:
    """Return a number in TeX, a small one as a power of ten."""
    digits, _, exponent = f"{value:g}".partition("e")
    power = f"10^{{{int(exponent)}}}" if exponent else ""
    return power if power and digits == "1" else rf"{digits} \cdot {power}" if power else digits


def listed(names: Sequence[str]) -> str:
    """Return names as a sentence has them: ``"a, b and c"``."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
