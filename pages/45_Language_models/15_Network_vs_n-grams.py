"""Where does the network beat n-gram counts?

The network’s gain over an n-gram model (nats per test token), by kind of token.
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
Each point is the mean of g over the tokens of one group: g = 1 means that the network assigned e ≈ 2.7 times the
probability (geometric mean). The number of test tokens is in brackets. The bars are 95% confidence intervals from the
variance between fifty consecutive segments of the text, because neighbouring tokens are not independent. The intervals
do not cover the variation between seeds.

**Distance to the last occurrence** counts tokens back to the same word in the test text. Even at its first occurrence
there, a word may be common in the training text. If the network’s memory of the word explained the gain, the gain would
shrink with distance. **Occurrences in the training text** show how much the two models could learn about a word. Groups
overlap (frequent words have nearly always occurred recently), so a gain in one grouping does not explain a gain in
another.
"""
    )
