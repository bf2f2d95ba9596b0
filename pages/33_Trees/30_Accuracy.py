"""Which network is right, and at how long a phrase?

Accuracy on the test trees by the number of words, at inner nodes, at roots and at all nodes that are not neutral.
"""

import streamlit as st

from nlpviz.ui import frame
from nlpviz.ui.trees import accuracies, networks

runs = networks.every()
accuracies.show(runs)
accuracies.table(runs)
frame.lead_to("Models", "How did each network learn?", "training", run=runs[0].name)

with frame.how_to_read():
    neutral = ", ".join(f"{share:.0%} of the {name}" for name, share in accuracies.neutral_shares(runs[0]).items())
    st.latex(r"\text{two classes}: \quad p_{+} + p_{++} > p_{-} + p_{--}")
    st.markdown(
        f"""
**Five classes** asks for the very label that people gave; **two classes** leaves neutral nodes out and asks for the
side. **Roots** are whole sentences, **inner nodes** the phrases below them, and **non-neutral nodes** all nodes, single
words among them, that people did not label neutral. An accuracy over all nodes is not shown: most are neutral, so that
the answer “neutral” alone would be right more often than not. Neutral are {neutral}.

Published at the roots, with other word vectors: tensor network 45.7 % and 85.4 % (Socher et al. 2013), binary
Tree-LSTM 51.0 % and 88.0 % with vectors trained on 840 billion words, 43.9 % and 82.0 % with random ones (Tai et al.
2015). The networks here begin with vectors trained on film reviews, and answer two classes by their five; the paper's
Tree-LSTM was trained for each. Each network was trained once: how far two seeds differ is not known. *Socher et al.
2013; Tai, Socher and Manning 2015.*
"""
    )
