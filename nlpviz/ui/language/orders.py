"""What the view on word order shows: a sentence among its shuffles, by each model."""

from __future__ import annotations

import numpy as np
import streamlit as st

from nlpviz.figures.language.orders import order_histograms
from nlpviz.figures.numbers import number
from nlpviz.results.word_order import WordOrders
from nlpviz.ui import plotly_view
from nlpviz.ui.calls import Call
from nlpviz.ui.frame import answer, details, escape_markdown, takeaway
from nlpviz.ui.language import cache
from nlpviz.ui.language.choice import LanguageQuestion

_BEST = 5


def read(question: LanguageQuestion) -> tuple[WordOrders, ...]:
    """Return the sentence and its shuffles by each model that gives them a probability; the page may end here."""
    results = tuple(cache.word_orders(reader, question.text)() for reader in question.readers)
    words = results[0].words
    if len(set(words)) < 2:
        if words:
            st.info("A single word has only one order. Type a longer sentence in the bar above.")
        elif question.text.strip():
            st.info("There is no sentence to shuffle in this text.")
        st.stop()
    for one in results:
        if not np.isfinite(one.typed):
            st.info(
                f"{escape_markdown(one.title)} assigns zero probability to a word of this sentence, so this model "
                f"is left out."
            )
    known = tuple(one for one in results if np.isfinite(one.typed))
    if not known:
        st.stop()
    return known


def show(question: LanguageQuestion, results: tuple[WordOrders, ...]) -> None:
    """Show where the sentence stands among its shuffles, and say it of each model."""
    first = results[0]
    less, count = _less(first), len(first.shuffled)
    others = f"all {count:,}" if less == count else f"{less:,} of {count:,}"
    takeaway(
        "{title}: the sentence is more probable than {others} other orders.",
        others=others,
        title=first.title,
    )
    shown = {one.title for one in results}
    calls = [cache.word_orders(reader, question.text) for reader in question.readers]
    plotly_view.show(Call(order_histograms, [call for call in calls if call().title in shown]), key="word_orders")
    how = "all other orders" if first.all_orders else f"{len(first.orders):,} random orders"
    answer("“{typed}” is compared with {how}.", typed=" ".join(first.words), how=how)
    with details():
        st.table(
            {
                "Model": [escape_markdown(one.title) for one in results],
                "Log-probability (nats)": [number(one.typed, ".1f") for one in results],
                "More probable than": [f"{_less(one):,} of {len(one.shuffled):,} orders" for one in results],
                "Rank": [f"{one.rank:,}" for one in results],
            },
            hide_index=True,
        )


def _less(one: WordOrders) -> int:
    """Return how many of the other orders are less probable than the sentence."""
    return int((one.shuffled < one.typed).sum())


def show_best(results: tuple[WordOrders, ...]) -> None:
    """Show the orders that each model finds most probable."""
    st.header("The most probable orders", anchor=False)
    for first in range(0, len(results), 2):
        for column, one in zip(st.columns(2, gap="medium"), results[first : first + 2], strict=False):
            with column:
                st.markdown(f"**{escape_markdown(one.title)}**")
                lines = [
                    f"| {'**' if words == one.words else ''}{escape_markdown(' '.join(words))}"
                    f"{'**' if words == one.words else ''} | {number(total, '.1f')} |"
                    for words, total in one.best(_BEST)
                ]
                st.markdown("| Order | Log-probability (nats) |\n| --- | ---: |\n" + "\n".join(lines))
