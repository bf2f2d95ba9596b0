"""Where does the network beat counting?

The whole test text, read by both: by how much less the network is surprised, and at which tokens it is not.
"""

import streamlit as st

from nlpviz.ui import frame
from nlpviz.ui.language import gains

with frame.bar():
    run, other, groups = gains.pick()
gains.show(run, other, groups)

with frame.how_to_read():
    st.latex(r"g_t = \log p_{\mathrm{network}}(w_t \mid w_{<t}) - \log p_{\mathrm{counts}}(w_t \mid w_{<t})")
    st.markdown(
        """
Each point is the mean of g over the tokens of one group: g = 1 says that the network gave the token e ≈ 2.7 times the
probability (geometric mean). In brackets: how many tokens of the test text are in the group. The bars are 95 %
intervals from the spread between fifty consecutive pieces of the text, because neighbouring tokens are not independent;
variation between seeds is not covered.

**Distance to the last occurrence** counts tokens back to the same one in the test text. A token at its first occurrence
there may still be common in training. If memory of the word itself explained the gain, the gain would shrink with
distance. **Occurrences in the training text** say how much either could learn of a word. Groups overlap (frequent words
have nearly always occurred recently), so that one grouping does not explain another.
"""
    )
