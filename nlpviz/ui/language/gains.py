"""What the view on the test text shows: where a network predicts better than counting, and where not."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan

import streamlit as st

from nlpviz.figures.language.gains import gain_points
from nlpviz.figures.numbers import number
from nlpviz.results.gains import Gain
from nlpviz.runs import Run
from nlpviz.runs.gains import GAINS, read_gains
from nlpviz.snippets import language as snippets
from nlpviz.ui import plotly_view, widgets
from nlpviz.ui.frame import answer
from nlpviz.ui.widgets import Wanted

MEASURED = Wanted(
    "Language models",
    able=lambda run: GAINS in run.files,
    named="language model that was compared with another",
    recipe="wikitext2-lstm",
)


def pick() -> tuple[Run, str, tuple[Gain, ...]]:
    """Return the run that the visitor chose, the one it is compared with, and all groups of tokens."""
    run = widgets.pick_run(MEASURED)
    found = read_gains(run)
    other = widgets.pick("over", "Compared with", list(found))
    return run, other, found[other]


def show(run: Run, other: str, groups: Sequence[Gain]) -> None:
    """Show a figure for each grouping, and say of each where the gain is largest and where least."""
    groupings = list(dict.fromkeys(one.grouping for one in groups))
    whole = [one for one in groups if one.grouping == groupings[0]]
    tokens = sum(one.tokens for one in whole)
    mean = sum(one.gain * one.tokens for one in whole) / tokens
    answer(
        "Over all {tokens:,} test tokens the surprisal of **{title}** is {mean:.2f} nats per token {sign} than that of "
        "{other}, on average.",
        tokens=tokens,
        title=run.name,
        mean=abs(mean),
        sign="lower" if mean > 0 else "higher",
        other=other,
    )
    reached = [edge for one in groups for edge in (one.gain, one.low, one.high) if not isnan(edge)]
    ends = min(reached), max(reached)
    for first in range(0, len(groupings), 2):
        for column, grouping in zip(st.columns(2, gap="medium"), groupings[first : first + 2], strict=False):
            with column:
                some = [one for one in groups if one.grouping == grouping]
                st.header(f"By {grouping}", anchor=False)
                code = snippets.gains(run.name, other, grouping)
                plotly_view.show(gain_points(some, run.name, other, ends), key=f"gains_{grouping}", code=code)
                _tell(some)


def _tell(groups: Sequence[Gain]) -> None:
    """Say where the gain is largest, and where there is none: by intervals, which very few tokens do not have."""
    better = [one for one in groups if one.low > 0]
    worse = [one for one in groups if one.high < 0]
    unclear = [one for one in groups if one.low <= 0 <= one.high]
    sentence, pieces = "", dict[str, object]()
    if better:
        most = max(better, key=lambda one: one.gain)
        sentence = "Largest gain: “{most}”, {gain} nats."
        pieces = {"most": most.group, "gain": number(most.gain)}
    if worse:
        sentence += " Worse for " + ", ".join(f"“{{worse{n}}}” ({{by{n}}})" for n in range(len(worse))) + "."
        pieces |= {f"worse{n}": one.group for n, one in enumerate(worse)}
        pieces |= {f"by{n}": number(one.gain) for n, one in enumerate(worse)}
    if unclear:
        sentence += " No clear difference for " + ", ".join(f"“{{even{n}}}”" for n in range(len(unclear))) + "."
        pieces |= {f"even{n}": one.group for n, one in enumerate(unclear)}
    answer(sentence.strip() or "Too few tokens to tell.", **pieces)
