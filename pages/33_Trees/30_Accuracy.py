"""Which network is right most often, by phrase length?

Accuracy on test trees by the number of words, for phrases (inner nodes), whole sentences or non-neutral nodes.
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
**Five classes**: the network must give the same label as people. **Two classes**: neutral nodes are left out, and only
the side counts. **Roots** are whole sentences, **inner nodes** the phrases below them, and **non-neutral nodes** all
nodes, single words included, that people did not label neutral. An accuracy over all nodes is not shown: most are
neutral, so always answering “neutral” would be right more often than not. The neutral share: {neutral}.

Published at the roots, with other word vectors: tensor network 45.7% and 85.4% (Socher et al. 2013), binary Tree-LSTM
51.0% and 88.0% with vectors trained on 840 billion words, 43.9% and 82.0% with random ones (Tai et al. 2015). The
networks here begin with vectors trained on film reviews and derive two classes from their five; the paper's Tree-LSTM
was trained for each. Each network was trained once, so differences between seeds are unknown. *Socher et al. 2013; Tai,
Socher and Manning 2015.*
"""
    )
