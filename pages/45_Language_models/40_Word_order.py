"""Does a model prefer the sentence's own word order?

The probability of a sentence beside that of the same words shuffled: the line is the sentence, the bars are the others.
"""

import streamlit as st

from nlpviz.language.orders import MOST_WORDS, SHUFFLES
from nlpviz.ui import frame
from nlpviz.ui.language import choice, orders

question = choice.ask()
results = orders.read(question)
orders.show(question, results)
orders.show_best(results)

with frame.how_to_read():
    st.latex(r"p(\text{the cat is small}) > p(\text{small the is cat})")
    st.markdown(
        f"""
A language model gives every sequence of words a probability, the product of those of its words, each after all before
it and the first after the end of a line. Of the first sentence of the text, its first {MOST_WORDS} words at most are
shuffled; a full stop stays at the end. Sentences of up to six words are tried in every order; for longer ones,
{SHUFFLES} random orders are drawn with a fixed seed, and the best of those need not be the best there is.

All orders have the same words, so word frequency alone cannot decide: differences come from order. An n-gram model
knows only the order of near neighbours. That a model prefers a sentence's own order does not say that it would prefer
every correct sentence to every wrong one: other orders may be good sentences, too.
"""
    )
