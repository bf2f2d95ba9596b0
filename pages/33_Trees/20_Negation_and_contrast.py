"""What do negation and “but” do to sentiment?

Over the whole test split: how far negating a phrase moves what each network makes of it, beside people's labels, and
whether networks are right at both halves of “X but Y” and at the whole.
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
**Negation.** A place counts where one of {", ".join(sorted(NEGATORS))}, alone or after one other word (*does n't*), is
joined to what follows. **Praise** is what people labelled positive before it was negated, **blame** what they labelled
negative. Negated praise should become negative; negated blame should become *less negative*, not positive: “not bad” is
not “good”. The lines are the mean change of people's labels. Intervals are those of a mean over phrases, taken as
independent of each other; some are of one sentence.

**“X but Y”.** As in the paper, a contrast counts as right only if X, Y and the lowest phrase over both are on the right
side. Here those with a neutral phrase among the three are left out. The paper counted 131 contrasts and put the tensor
network first, with 41 % right; its list is not published, so the numbers do not compare with those here.

**What this does not show.** These are phrases that occur in reviews, not pairs made to differ in a negation alone: a
network may know a phrase with *not* from training. The first view lets you negate any phrase and see. *Socher et al.
2013, sections 5.3 and 5.4.*
"""
    )
