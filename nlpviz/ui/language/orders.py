"""What the view on word order shows: a sentence among its shuffles, by each model."""

from __future__ import annotations

import numpy as np
import streamlit as st

from nlpviz.figures.language.orders import order_histograms
from nlpviz.figures.numbers import number
from nlpviz.results.word_order import WordOrders
from nlpviz.snippets import language as snippets
from nlpviz.ui import plotly_view
from nlpviz.ui.frame import answer, escape_markdown
from nlpviz.ui.language import cache
from nlpviz.ui.language.choice import LanguageQuestion

_BEST = 5


def read(question: LanguageQuestion) -> tuple[WordOrders, ...]:
    """Return the sentence and its shuffles by each model that gives them a probability; the page may end here."""
    results = tuple(cache.word_orders(reader, question.text) for reader in question.readers)
    words = results[0].words
    if len(set(words)) < 2:
        if words:
            st.info("A sentence with a single word has one order only. Type a longer one in the bar above.")
        elif question.text.strip():
            st.info("There is no sentence to shuffle in this text.")
        st.stop()
    for one in results:
        if not np.isfinite(one.typed):
            st.info(f"{escape_markdown(one.title)} gives a word of this sentence no probability: it is left out.")
    known = tuple(one for one in results if np.isfinite(one.typed))
    if not known:
        st.stop()
    return known


def show(question: LanguageQuestion, results: tuple[WordOrders, ...]) -> None:
    """Show where the sentence stands among its shuffles, and say it of each model."""
    words = results[0].words
    how = "all other orders" if results[0].all_orders else f"{len(results[0].orders):,} random orders"
    answer("“{typed}” beside {how} of its {count} words.", typed=" ".join(words), how=how, count=len(words))
    shown = {one.title for one in results}
    readers = [(one.run.name, one.epoch, one.order) for one in question.readers if one.title in shown]
    code = snippets.word_orders(readers, question.text)
    plotly_view.show(order_histograms(results), key="word_orders", code=code)
    for one in results:
        less = int((one.shuffled < one.typed).sum())
        others = (
            "all {count:,} others" if less == len(one.shuffled) else "{less:,} of the {count:,} others (rank {rank:,})"
        )
        answer(
            "**{title}**: log-probability as typed {typed} nats, more probable than " + others + ".",
            title=one.title,
            typed=number(one.typed, ".1f"),
            less=less,
            count=len(one.shuffled),
            rank=one.rank,
        )


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
                st.markdown("| order | log-probability (nats) |\n| --- | ---: |\n" + "\n".join(lines))
