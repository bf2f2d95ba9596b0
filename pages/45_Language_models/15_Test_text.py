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
Each point is the mean of g over the tokens of one group, in nats: one nat more says that the network gave what came e
times the probability, in the geometric mean. In brackets: how many tokens of the test text are in the group. The bars
are 95 % intervals over fifty consecutive pieces of the text, for neighbouring tokens go together; another seed of the
network is not in them.

**Since its last occurrence** counts tokens back to the same one in the test text: a network may remember what counts of
a few neighbours have forgotten. A token that did not occur before is new to both. **Occurrences in the training text**
say how much either could learn of a word. Groups overlap: rare words are seldom repeated soon, and stand less often at
the beginning of a sentence, so that one grouping does not explain another.
"""
    )
