"""How similar are words to each other?

Each cell is the cosine of two words' vectors: 1 if they point the same way, 0 if they are at a right angle.
"""

import streamlit as st

from nlpviz.ui import frame
from nlpviz.ui.words import choice, similarity

with frame.bar():
    sources = choice.pick_sources()
    words = similarity.pick_words(sources)
result = similarity.matrices(sources, words)
if result:
    similarity.show_matrices(result)
frame.lead_to("Words", "Where do words lie on an axis between two poles?", "axes")

with frame.how_to_read():
    st.latex(r"\cos(a, b) = \frac{a \cdot b}{\lVert a \rVert \lVert b \rVert}")
    st.markdown(
        """
The cosine of two vectors a and b ignores their lengths, which depend on word frequency. The words are ordered by
average-linkage clustering on 1 − cosine, with neighbours as near as the tree allows (Bar-Joseph, Gifford and Jaakkola
2001): groups show as blocks along the diagonal. Several matrices have the order of the first at its latest epoch and
one scale, which ends at the largest magnitude of two different words. Blue is positive, vermillion negative; strongly
negative cells carry a dash where numbers have no room.

Do not compare the size of cosines between models: one model may have all its words in a narrow cone, where every cosine
is high. Compare their order. Similar does not mean synonymous: opposites such as *good* and *bad* occur in the same
contexts and so have similar vectors.
"""
    )
