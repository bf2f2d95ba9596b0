"""Does it know how sure to be, and since when?

How far the probability of an answer is from how often it is right, after every epoch of the training.
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
(here,) = [one for one in first if one.epoch == chosen]
st.header("Accuracy by confidence", anchor=False)
calibration.show_diagram(here)

with frame.how_to_read():
    st.latex(r"\text{ECE} = \sum_{b=1}^{15} \frac{n_b}{N}\,\big|\,\text{acc}(b) - \text{conf}(b)\,\big|")
    st.markdown(calibration.worked(here))
    st.markdown(
        """
**Confidence** is the probability of the predicted class. The expected calibration error parts the texts by it into 15
bins of equal width, and takes the mean distance of accuracy and confidence (Guo et al. 2017, equation 5). With few
texts it is above zero even where every probability is right: the dotted line is what 95 % of draws stay below when each
answer is right with its own probability.

**A small error is not a good classifier.** Before training a network says about one half of everything, and is right in
about half: well calibrated, and useless. So accuracy is shown, too. Where mean confidence lies above accuracy, answers
are too sure; where below, not sure enough. The mean can agree while bins do not, which the diagram shows: bins of as
many texts each, with 95 % intervals of the accuracy (Wilson).

The texts are the test texts of which a run keeps the probabilities of every epoch, as many of each label; no choice
was made on them. A **temperature** is one number that divides all log-probabilities: it mends a mean that is off, and
changes no prediction. Each fifth of the texts gets the one that was fitted to the other four (cross-fitting).
"""
    )
