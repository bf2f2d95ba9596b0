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
Each point is the mean of g over the tokens of one group: g = 1 means that the network’s probabilities were e ≈ 2.7
times as high as those of the n-gram model (geometric mean). The number of test tokens is in brackets. The bars are 95%
confidence intervals. Because neighbouring tokens are not independent, the intervals are computed from the variance
between fifty consecutive segments of the text. The intervals do not cover the variation between seeds.

**Distance to the last occurrence** is the number of tokens since the same word last occurred in the test text. A word
that occurs there for the first time may still be common in the training text. If the network’s memory of the word
explained the gain, the gain would shrink with distance. **Occurrences in the training text** determine how much the
two models could learn about a word. Groups of different kinds overlap: for example, frequent words have nearly always
occurred recently. A gain in one grouping therefore does not explain a gain in another.
"""
    )
