"""How similar are words to each other?

Each cell is the cosine of two words’ vectors: 1 for the same direction, 0 for perpendicular vectors.
"""

import streamlit as st

from nlpviz.ui import frame
from nlpviz.ui.words import choice, similarity

with frame.bar():
    sources = choice.pick_sources()
    words = similarity.pick_words(sources)
result = similarity.matrices(sources, words)
if result:
    similarity.show_matrices(result, words)
frame.lead_to("Words", "Where do words lie on an axis between two poles?", "axes")

with frame.how_to_read():
    st.latex(r"\cos(a, b) = \frac{a \cdot b}{\lVert a \rVert \lVert b \rVert}")
    st.markdown(
        """
The cosine of two vectors a and b ignores their lengths, which depend on word frequency. The words are ordered by
average-linkage clustering on 1 − cosine. Adjacent words are as similar as the clustering tree allows (Bar-Joseph,
Gifford and Jaakkola 2001), so groups appear as blocks along the diagonal. If several matrices are shown, they all use
the word order of the first source’s latest epoch. They also share a colour scale, which ends at the largest absolute
cosine between two different words. Blue is positive, vermilion negative; strongly negative cells contain a dash if
there is no room for numbers.

Do not compare the size of cosines between models. If all word vectors of a model lie in a narrow cone, every cosine is
high. Compare the ranking of the cosines instead. Similar does not mean synonymous: opposites such as *good* and *bad*
occur in the same contexts and so have similar vectors.
"""
    )
