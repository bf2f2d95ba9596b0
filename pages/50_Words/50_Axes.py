"""Where do words lie on an axis between two poles?

Type two poles for each axis, such as “good, great | bad, awful”, or a difference such as “woman − man”.
"""

import streamlit as st

from nlpviz.ui import frame
from nlpviz.ui.words import choice, similarity

with frame.bar():
    sources = choice.pick_sources()
with frame.controls():
    x, y = similarity.pick_axes()
    words, about = similarity.pick_axes_words(sources)
result = similarity.on_axes(sources, words, x, y)
if result:
    similarity.show_axes(sources, result, words, about)

with frame.how_to_read():
    st.latex(
        r"x_w = \cos\Big(w,\; \frac{1}{|P|} \sum_{p \in P} \frac{p}{\lVert p \rVert} "
        r"- \frac{1}{|Q|} \sum_{q \in Q} \frac{q}{\lVert q \rVert}\Big)"
    )
    st.markdown(
        """
An axis (SemAxis, An, Kwak and Ahn 2018) goes from the words Q after the **|** to the words P before the **|**. The
axis is the difference between the mean directions of the two groups, like the axis from *he* to *she* in Bolukbasi et
al. (2016, section 5). Without a **|** the axis is the sum that you type, as in Parallax (Molino, Wang and Zhang 2019).
The figure shows the cosine of each word with both axes; 0 means no tendency towards either pole.

An axis reflects how two groups of words are used in the training texts, including any prejudices in these texts. The
axis may not capture the concept that you have in mind, so use several words per pole and vary the words. The poles’
own words tend to lie near the ends, because the axis is computed from these words. A word that has much in common with
the other pole may be an exception.
"""
    )
