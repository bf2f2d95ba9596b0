"""Does the model prefer the original word order?

The probability of your sentence (line) compared with those of the same words in other orders (bars).
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
A language model assigns every sequence of words a probability: the product of the probabilities of its words, each
conditioned on all preceding words. The first word is conditioned on a line break. At most the first {MOST_WORDS} words
of the text’s first sentence are shuffled; a full stop stays at the end. For up to six words, all orders are tried. For
longer sentences, {SHUFFLES} random orders are drawn with a fixed seed, so the best order found may not be the best
possible.

All orders contain the same words, so differences in probability come from word order and not from word frequency. An
n-gram model sees only the order of nearby words. A model that prefers the original order may still prefer some
ungrammatical sentences to grammatical sentences. Some of the other orders may also be good sentences.
"""
    )
