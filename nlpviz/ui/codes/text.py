"""One text's code on a page: its units, what comes back, and how much of the text it says."""

from __future__ import annotations

import numpy as np
import streamlit as st

from nlpviz.figures.codes.units import code_units
from nlpviz.figures.codes.words_back import words_back
from nlpviz.results.codes import TextCode
from nlpviz.runs import Run
from nlpviz.ui import classes, plotly_view, widgets
from nlpviz.ui.calls import Call
from nlpviz.ui.codes import cache
from nlpviz.ui.frame import answer, details, lead_to, messages, takeaway


def show(run: Run, epoch: int, text: str) -> None:
    """Show a text's code and the words it decodes to; of one without a known word say what that means."""
    call = cache.text_code(run, epoch, text)
    code = call()
    if not code.words:
        messages().info(
            "This text contains no vocabulary words, so this is the code of an empty text. Type words of "
            "at least three letters that are not stop words."
        )
    _take_away(code)
    plotly_view.show(Call(code_units, call), key="code_units", on_click=widgets.set_to("unit"))
    _tell(code)
    with details():
        _table(code)
    st.header("Which words does the code decode to?", anchor=False)
    plotly_view.show(Call(words_back, call), key="words_back")
    if code.words:
        answer(
            "{back} of the {listed} most probable words are in the {document}.",
            back=sum(one.times > 0 for one in code.returned),
            listed=len(code.returned),
            document=classes.document(run),
        )


def _take_away(code: TextCode) -> None:
    """Say how well the code predicts the text's own words, compared with their frequencies."""
    if not code.words:
        takeaway("No word of this text is in the vocabulary.")
        return
    takeaway(
        "Perplexity of the text’s words: {perplexity:,.0f} given its code, {frequency:,.0f} from word frequencies.",
        perplexity=code.perplexity,
        frequency=code.frequency_perplexity,
    )


def _tell(code: TextCode) -> None:
    """Say how many units are away from zero, as far as the network says how sure it is."""
    if code.deviation is None or code.divergence is None:
        answer("The code is a single point: this network does not estimate its uncertainty.")
        return
    answer(
        "{far} of {units} units are more than two standard deviations from 0. The code costs {nats:.1f} nats (KL).",
        far=int((np.abs(code.mean) > 2 * code.deviation).sum()),
        units=len(code.mean),
        nats=float(code.divergence.sum()),
    )
    lead_to("Autoencoders", "Which words does each unit represent?", "topics")


def _table(code: TextCode) -> None:
    """Show what was read of the text, what the code costs, and how well it predicts the text."""
    rows = {
        "Tokens": f"{code.tokens:,}",
        "Words in the vocabulary": f"{code.words:,}",
        "Truncated tokens": f"{code.cut:,}",
        "Units": f"{len(code.mean)}",
    }
    if code.divergence is not None and code.deviation is not None:
        rows["KL (nats)"] = f"{code.divergence.sum():.1f}"
        rows["Mean standard deviation (prior: 1)"] = f"{code.deviation.mean():.2f}"
    if code.words:
        rows["Perplexity given the code"] = f"{code.perplexity:,.0f}"
        rows["Perplexity from word frequencies"] = f"{code.frequency_perplexity:,.0f}"
        if not np.isnan(code.bound):
            rows["Perplexity bound, including the cost of the code"] = f"{code.bound:,.0f}"
    st.table({"Measure": list(rows), "Value": list(rows.values())}, hide_index=True)
