"""One text's code on a page: its units, what comes back, and how much of the text it says."""

from __future__ import annotations

import numpy as np
import streamlit as st

from nlpviz.figures.codes.units import code_units
from nlpviz.figures.codes.words_back import words_back
from nlpviz.results.codes import TextCode
from nlpviz.runs import Run
from nlpviz.snippets import codes as snippets
from nlpviz.ui import classes, plotly_view, widgets
from nlpviz.ui.codes import cache
from nlpviz.ui.frame import answer, lead_to


def show(run: Run, epoch: int, text: str) -> None:
    """Show a text's code and what comes back of it; of one without a known word say what that means."""
    code = cache.text_code(run, epoch, text)
    if not code.words:
        st.info(
            "No word of this text is in the vocabulary, so its bag is empty: the code below is the one of no words at "
            "all, and what comes back is what the network expects of any document. Type words of three letters and "
            "more that are no stop words."
        )
    of = run.name, epoch
    plotly_view.show(code_units(code), key="code_units", on_click=widgets.set_to("unit"), code=snippets.code(of, text))
    _tell(code)
    st.header("What comes back?", anchor=False)
    plotly_view.show(words_back(code), key="words_back", code=snippets.words_back(of, text))
    if code.words:
        _tell_back(run, code)


def _tell(code: TextCode) -> None:
    """Say what the code costs and how sure the network is of it."""
    read = "{words:,} of {tokens:,} tokens are words of the vocabulary" + (
        "; {cut:,} more are cut off" * bool(code.cut)
    )
    pieces: dict[str, object] = {"words": code.words, "tokens": code.tokens, "cut": code.cut}
    if code.deviation is None or code.divergence is None:
        answer(read + ". The code is one point: this network does not say how sure it is.", **pieces)
        return
    far = np.abs(code.mean) > 2 * code.deviation
    answer(
        read + ". The code costs **{nats:.1f}** nats; {far} of {units} units are further from zero than two of their "
        "own deviations, which is on average {deviation:.2f}, where the prior's is 1.",
        **pieces,
        nats=float(code.divergence.sum()),
        far=int(far.sum()),
        units=len(code.mean),
        deviation=float(code.deviation.mean()),
    )
    lead_to("Codes", "Which words does each unit stand for?", "topics")


def _tell_back(run: Run, code: TextCode) -> None:
    """Say how well the code predicts the text's own words, beside words by frequency."""
    back = sum(one.times > 0 for one in code.returned)
    sentence = (
        "{back} of the {listed} likeliest words are in the {document}. Its own words have a perplexity of "
        "**{perplexity:.0f}** by its code, against {frequency:.0f} by their frequencies in training"
    )
    bound = code.bound
    sentence += "." if np.isnan(bound) else "; with what the code costs, the bound is {bound:.0f}."
    answer(
        sentence,
        back=back,
        listed=len(code.returned),
        document=classes.document(run),
        perplexity=code.perplexity,
        frequency=code.frequency_perplexity,
        bound=bound,
    )
