"""What do negation and “but” do to sentiment?

How far a negation moves each network's answer on test phrases, compared with people's labels.
"""

import streamlit as st

from nlpviz.text.tree_patterns import NEGATORS
from nlpviz.ui import frame
from nlpviz.ui.trees import cases, networks

runs = networks.every()
cases.show_negation(runs)
cases.show_contrast(runs)
cases.show_phrases(runs)

with frame.how_to_read():
    st.latex(
        r"\Delta = E[\text{class} \mid \textit{not } X] - E[\text{class} \mid X], \quad E = \sum_{k=-2}^{2} k\, p_k"
    )
    st.markdown(
        f"""
**Negation.** A phrase counts where one of {", ".join(sorted(NEGATORS))}, alone or after one other word (*does n't*), is
joined to what follows. **Praise** is a phrase that people labelled positive before its negation, **blame** one that
they labelled negative. Negated praise should become negative; negated blame should become *less negative*, not
positive: “not bad” is not “good”. The lines are the mean change of people's labels. Intervals are those of a mean over
phrases, treated as independent although some are from one sentence.

**“X but Y”.** As in the paper, a contrast counts as right only if X, Y and the lowest phrase over both are on the right
side. Contrasts with a neutral phrase among the three are left out. The paper counted 131 contrasts and put the tensor
network first, with 41% right; its list is not published, so its numbers cannot be compared with these.

**What this does not show.** These phrases occur in reviews; they are not pairs made to differ in a negation alone, and
a network may know a phrase with *not* from training. *One sentence* lets you negate any phrase. *Socher et al. 2013,
sections 5.3 and 5.4.*
"""
    )
