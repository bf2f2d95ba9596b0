"""Does a model prefer the order in which the words stand?

The probability of a sentence beside that of the same words shuffled: the line is the sentence, the bars are the others.
"""

import streamlit as st

from nlpviz.language.orders import MOST_WORDS, SHUFFLES
from nlpviz.ui import frame
from nlpviz.ui.language import choice, orders

question = choice.ask()
results = orders.read(question)
orders.show(results)
orders.show_best(results)

with frame.how_to_read():
    st.latex(r"p(\text{the cat is small}) > p(\text{small the is cat})")
    st.markdown(
        f"""
A language model gives every sequence of words a probability, the product of those of its words, each after all before
it and the first after the end of a line. Of the first sentence of the text, its first {MOST_WORDS} words at most are
shuffled; a full stop stays at the end. Up to six words are tried in all orders, of more {SHUFFLES} random ones are
drawn, with a fixed seed: the best of those need not be the best there is.

All orders have the same words, so that how rare these are plays no part: what remains is what a model knows of order.
Counts know it of a few neighbours only. That a model prefers a sentence's own order does not say that it would prefer
every correct sentence to every wrong one: other orders may be good sentences, too.
"""
    )
