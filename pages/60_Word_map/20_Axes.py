"""Where do words lie between two poles?

Type what the axes are: poles such as "good, great | bad, awful", or a formula such as "king - man + woman".
"""

import streamlit as st

from nlpviz.ui import frame
from nlpviz.ui.words import choice, similarity

with frame.bar():
    sources = choice.pick_sources()
with frame.controls():
    chosen = similarity.pick_axes_words()
x, y = similarity.pick_axes()
words, about = similarity.words_of(sources, chosen)
result = similarity.on_axes(sources, words, x, y)
if result:
    similarity.show_axes(result, about)

with frame.how_to_read():
    st.latex(
        r"x_w = \cos\Big(w,\; \frac{1}{|P|} \sum_{p \in P} \frac{p}{\lVert p \rVert} "
        r"- \frac{1}{|Q|} \sum_{q \in Q} \frac{q}{\lVert q \rVert}\Big)"
    )
    st.markdown(
        """
An axis goes from the words Q on the right of the **|** to the words P on its left: the difference of their mean
directions, as Bolukbasi et al. (2016, section 5) made one of *she* and *he*. Without a **|** it is the sum that is
typed, as in Parallax (Molino, Wang and Zhang 2019). What is drawn is the cosine of each word with both axes;
zero is neither.

An axis says what two groups of words differ in, in the texts that the vectors were learnt from, prejudices among it. It
need not be what its words make you think of: take several words a pole, and try others. The poles' own words tend to
lie near the ends, for the axis is made of them; a word that has much in common with the other pole need not.
"""
    )
