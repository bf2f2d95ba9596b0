"""What the view on the test text shows: where a network predicts better than counting, and where not."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan

import streamlit as st

from nlpviz.figures.language.gains import gain_points, reached
from nlpviz.figures.numbers import number
from nlpviz.results.gains import Gain
from nlpviz.runs import Run
from nlpviz.runs.gains import GAINS, gains_over, read_gains
from nlpviz.ui import plotly_view, widgets
from nlpviz.ui.calls import Call
from nlpviz.ui.frame import answer, details, takeaway
from nlpviz.ui.run_filter import LANGUAGE_MODELS
from nlpviz.ui.widgets import Wanted

MEASURED = Wanted(
    "Language models",
    able=lambda run: GAINS in run.files,
    named="language model with stored comparisons",
    recipe="wikitext2-lstm",
)


def pick() -> tuple[Run, str, tuple[Gain, ...]]:
    """Return the run that the visitor chose, the one it is compared with, and all groups of tokens."""
    run = widgets.pick_run(MEASURED)
    found = read_gains(run)
    other = widgets.pick("over", "Compare with", list(found), _title)
    return run, other, found[other]


def _title(name: str) -> str:
    """Return what people call a run, which need not be here any more."""
    known = LANGUAGE_MODELS.runs().get(name)
    return name if known is None else known.title


def show(run: Run, other: str, groups: Sequence[Gain]) -> None:
    """Show a figure for each grouping, the first one large, and say where the gain is largest; all else is a table."""
    groupings = list(dict.fromkeys(one.grouping for one in groups))
    whole = [one for one in groups if one.grouping == groupings[0]]
    tokens = sum(one.tokens for one in whole)
    mean = sum(one.gain * one.tokens for one in whole) / tokens
    takeaway(
        "{title} {sign} {other} by {mean:.2f} nats per token.",
        title=run.title,
        mean=abs(mean),
        sign="beats" if mean > 0 else "loses to",
        other=_title(other),
    )
    ends = reached(groups)
    _show_one(run, other, groupings[0], ends)
    _tell(whole, tokens)
    with details():
        _table(groups)
    for first in range(1, len(groupings), 2):
        for column, grouping in zip(st.columns(2, gap="medium"), groupings[first : first + 2], strict=False):
            with column:
                _show_one(run, other, grouping, ends)


def _show_one(run: Run, other: str, grouping: str, ends: tuple[float, float]) -> None:
    st.header(f"By {grouping}", anchor=False)
    gains = Call(gains_over, run, other, grouping)
    plotly_view.show(Call(gain_points, gains, run.title, _title(other), ends), key=f"gains_{grouping}")


def _tell(groups: Sequence[Gain], tokens: int) -> None:
    """Say where the gain is largest and in how many groups it is clear: by intervals, which few tokens do not have."""
    better = [one for one in groups if one.low > 0]
    if not better:
        answer("No group of the {tokens:,} test tokens has a significant gain (95% interval above 0).", tokens=tokens)
        return
    most = max(better, key=lambda one: one.gain)
    answer(
        "Largest gain, by {grouping}: “{group}”, {gain} nats. The gain is significant in {clear} of "
        "{count} groups (95% intervals).",
        grouping=most.grouping,
        group=most.group,
        gain=number(most.gain),
        clear=len(better),
        count=len(groups),
    )


def _table(groups: Sequence[Gain]) -> None:
    """Show every group with its gain and interval."""

    def verdict(one: Gain) -> str:
        if isnan(one.low):
            return "too few tokens"
        return "better" if one.low > 0 else "worse" if one.high < 0 else "not significantly different"

    st.dataframe(
        {
            "Grouping": [one.grouping for one in groups],
            "Group": [one.group for one in groups],
            "Tokens": [one.tokens for one in groups],
            "Gain (nats)": [number(one.gain) for one in groups],
            "95% interval": ["–" if isnan(one.low) else f"{number(one.low)} to {number(one.high)}" for one in groups],
            "Result for the network": [verdict(one) for one in groups],
        },
        hide_index=True,
    )
