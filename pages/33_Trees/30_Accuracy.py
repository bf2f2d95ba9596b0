"""Which network is right most often at each phrase length?

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
**Five classes**: the predicted class must equal the human label. **Two classes**: neutral nodes are excluded, and only
the sign counts. **Roots** are whole sentences, **inner nodes** are the phrases below them, and **non-neutral nodes**
are all nodes, including single words, that annotators did not label neutral. Accuracy over all nodes is not shown: most
nodes are neutral, so always predicting “neutral” would be correct more than half of the time. The label is neutral for
{neutral}.

The published five-class and binary accuracies on whole sentences were obtained with different word vectors. The tensor
network reached 45.7% and 85.4% (Socher et al. 2013). The binary Tree-LSTM reached 51.0% and 88.0% with vectors trained
on 840 billion words, and 43.9% and 82.0% with random vectors (Tai et al. 2015). The networks here start from vectors
trained on film reviews and derive the two classes from the five; Tai et al. trained a separate Tree-LSTM for each task.
Each network was trained once, so the variation between seeds is unknown. *Socher et al. 2013; Tai, Socher and Manning
2015.*
"""
    )
