"""Baselines that ignore the network, beside an explanation on a page: a word list, and the words' positions."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from nlpviz.analysis.attribution import baselines
from nlpviz.analysis.attribution.baselines import EARLIER, LATER, Baseline, LogCountRatio, like, titles
from nlpviz.figures.attribution.position_bins import fifth_bars
from nlpviz.figures.numbers import number
from nlpviz.results.agreement import MethodAgreement, agreement
from nlpviz.results.deletion import DeletionCurve
from nlpviz.results.explanation import Explanation
from nlpviz.results.position_bins import FEWEST, PARTS, fifths
from nlpviz.runs import Run, RunError
from nlpviz.ui import cache, plotly_view
from nlpviz.ui.calls import Call
from nlpviz.ui.frame import escape_markdown

WORD_LIST = LogCountRatio.name
READING = """
**Baselines that ignore the network.** The *log-count ratio* compares how many training texts of each class contain a
word (Wang and Manning 2012). The other baseline is a word’s position in the text. If a method’s ranking resembles that
of a word list, the ranking is no evidence that the network does more than a word list. Opinions often come at the end
of a text, so a ranking by position alone may agree with a method. Within a fifth of a text, position matters little, so
the rankings are also compared within each fifth (see the rank correlation under the bars).
"""
"""How to read them, in Markdown."""
_FEW = 4  # tokens: of fewer no correlation says anything


def beside(run: Run, explanation: Call[Explanation]) -> list[Call[Explanation]]:
    """Return each baseline's scores for the text and the class that was explained, "earlier" last.

    Without the log-count ratio where none is kept, or it is damaged.
    """
    known: Call[tuple[Baseline, ...]] = Call(baselines.baselines, run.corpus["name"])
    try:
        return [Call(like, explanation, known.at(place)) for place in range(len(known()))]
    except RunError:  # the page of the run itself says what is wrong with it
        return [Call(like, explanation, baseline) for baseline in (LATER, EARLIER)]


def show(run: Run, explanation: Explanation) -> None:
    """Show how much of an explanation a word list or the words' positions would give as well."""
    call, named = cache.explained(explanation), titles()
    others = {each().method: each for each in beside(run, call)}
    if len(explanation.scores) < _FEW:
        return
    st.header("Would a word list give the same order?", anchor=False)
    st.markdown(said(agreement([explanation, *(each() for each in others.values())]), named))
    if WORD_LIST not in others:
        return
    found = Call(fifths, call, others[WORD_LIST])
    if (parted := found()) is not None:
        plotly_view.show(Call(fifth_bars, found, Call(titles)), key="fifths")
        if parted.within is not None:
            st.markdown(
                f"Within each fifth of the text, where position matters little, the mean correlation is "
                f"**{number(parted.within)}**."
            )
    else:
        st.markdown(f"Fifths are compared only in texts with at least {PARTS * FEWEST} tokens.")


def said(agreed: MethodAgreement, named: dict[str, str]) -> str:
    """Return in Markdown how an explanation's ranks correlate with each baseline's, beside chance.

    Args:
        agreed: of the explanation, then the baselines.
        named: what people call them, by name.
    """
    own, *others = agreed.methods
    pairs = [
        (named[name], float(value))
        for name, value in zip(others, agreed.correlation[0, 1:], strict=True)
        if name != EARLIER.name  # the mirror image of "later"
    ]
    known = [f"{escape_markdown(title)} **{number(value)}**" for title, value in pairs if value == value]
    if not known:
        return "There are too few distinct scores to rank."
    beyond = [escape_markdown(title) for title, value in pairs if abs(value) > agreed.unrelated]
    verdict = f"{' and '.join(beyond)} exceed{'s' * (len(beyond) == 1)} chance" if beyond else "None exceeds chance"
    return (
        f"Rank correlation of {escape_markdown(named[own])} with baselines that ignore the network: "
        f"{', '.join(known)} (Spearman). {verdict}: 95% of unrelated rankings stay within ±{agreed.unrelated:.2f}."
    )


def areas(curves: Sequence[DeletionCurve]) -> str:
    """Return a sentence on what removing words in the baselines' orders does; empty without any.

    Args:
        run: that is explained.
        curves: of the baselines.
    """
    named = titles()
    each = [f"{escape_markdown(named[curve.method])} {number(curve.aopc, '.3f', signed=False)}" for curve in curves]
    return f"**Baselines that ignore the network.** AOPC: {', '.join(each)}." if each else ""
