"""Does the network know how sure to be?

The gap between its confidence and its accuracy on test texts (calibration error), after every epoch of training.
"""

import streamlit as st

from nlpviz.ui import frame
from nlpviz.ui.assessment import calibration

with frame.bar():
    runs = calibration.pick_runs()
    chosen = calibration.pick_epoch(runs[0])

found = calibration.assessed(runs)
first = found[runs[0].title]
calibration.tell(runs[0], first, chosen)
calibration.show_epochs(found, chosen)
calibration.show_numbers(first, chosen)
(here,) = [one for one in first if one.epoch == chosen]
st.header("Accuracy by confidence", anchor=False)
calibration.show_diagram(here)

with frame.how_to_read():
    st.latex(r"\text{ECE} = \sum_{b=1}^{15} \frac{n_b}{N}\,\big|\,\text{acc}(b) - \text{conf}(b)\,\big|")
    st.markdown(calibration.worked(here))
    st.markdown(
        """
**Confidence** is the probability of the predicted class. The expected calibration error (ECE) sorts the texts by
confidence into 15 bins of equal width and averages the gap between accuracy and confidence (Guo et al. 2017, equation
5). With few texts it is above zero even if every probability is right: 95% of simulated draws, in which each answer is
right with its own probability, stay below the dotted line.

**A small error does not make a good classifier.** Before training, a network gives each class about one half and is
right about half of the time: well calibrated, and useless. If mean confidence lies above accuracy, the network is
overconfident; if below, underconfident. The means can agree while single bins do not, which the diagram shows: bins
with equally many texts, with 95% intervals of the accuracy (Wilson).

The texts are the test texts whose probabilities are stored for every epoch, equally many of each label; nothing was
chosen on them. A **temperature** is one number that divides all log-probabilities: it corrects confidence that is too
high or too low and changes no prediction. Each fifth of the texts gets one fitted to the other four (cross-fitting).
"""
    )
