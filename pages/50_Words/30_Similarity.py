"""How similar are words to each other?

Each cell is the cosine of two words' vectors: 1 where they point the same way, 0 where they have nothing in common.
"""

import streamlit as st

from nlpviz.ui import frame
from nlpviz.ui.words import choice, similarity

with frame.bar():
    sources = choice.pick_sources()
result = similarity.matrices(sources, similarity.pick_words(sources))
if result:
    similarity.show_matrices(result)
frame.lead_to("Word map", "Where do words lie between two poles?", "axes")

with frame.how_to_read():
    st.latex(r"\cos(a, b) = \frac{a \cdot b}{\lVert a \rVert \lVert b \rVert}")
    st.markdown(
        """
The cosine of two vectors a and b does not ask how long they are: a frequent word has another length than a rare one.
The words stand in the order of an average-linkage clustering by 1 − cosine, neighbours as near as its tree allows
(Bar-Joseph, Gifford and Jaakkola 2001): groups show as blocks along the diagonal. Several sources are drawn in the
order of the first at its latest epoch, on one scale whose ends are the largest magnitude of two different words; blue
is alike, vermillion opposed, and strongly negative cells carry a dash where numbers have no room.

Cosines of two models are not to be compared by size: one model may put all its words in a narrow cone, where every
cosine is high. Compare their order. Similar is not the same as *alike in meaning*: opposites such as *good* and *bad*
stand in the same company, and so have similar vectors.
"""
    )
