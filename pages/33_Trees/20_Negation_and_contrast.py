"""What do negation and “but” do to sentiment?

How far a negation shifts each network’s prediction on test phrases, compared with human labels.
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
**Negation.** A phrase is included if one of {", ".join(sorted(NEGATORS))} is joined to it, with or without one other
word before the negator (*does n't*). A phrase counts as **praise** if annotators labelled it positive without the
negation, and as **blame** if they labelled it negative. Negated praise should become negative; negated blame should
become *less negative*, not positive: “not bad” is not “good”. The lines show the mean change of the human labels. The
intervals are for the mean over phrases. They treat the phrases as independent, although some come from the same
sentence.

**“X but Y”.** As in Socher et al. (2013), a contrast counts as correct only if X, Y and the smallest phrase containing
both are all classified with the right sign. A contrast is excluded if any of these three phrases is neutral. In that
paper, the tensor network was best, with 41% of 131 contrasts correct. The paper’s list of
contrasts was not published, so its result is not comparable with the results here.

**Limits.** These phrases come from reviews; they are not minimal pairs that differ only in a negation, and a phrase
with *not* may occur in the training set. *One sentence* lets you negate any phrase. *Socher et al. 2013, sections 5.3
and 5.4.*
"""
    )
