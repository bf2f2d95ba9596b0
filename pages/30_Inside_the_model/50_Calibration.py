"""Is the network as accurate as it is confident?

The gap between confidence and accuracy on test texts (calibration error), after every epoch of training.
"""

import streamlit as st

from nlpviz.ui import frame
from nlpviz.ui.assessment import calibration

with frame.bar():
    runs = calibration.pick_runs()
    chosen = calibration.pick_epoch(runs[0])

found = calibration.assessed(runs)
first = found[runs[0].title]()
calibration.tell(runs[0], first, chosen)
calibration.show_epochs(found, chosen)
calibration.show_numbers(first, chosen)
(place,) = [place for place, one in enumerate(first) if one.epoch == chosen]
st.header("Accuracy by confidence", anchor=False)
calibration.show_diagram(found[runs[0].title].at(place))

with frame.how_to_read():
    st.latex(r"\text{ECE} = \sum_{b=1}^{15} \frac{n_b}{N}\,\big|\,\text{acc}(b) - \text{conf}(b)\,\big|")
    st.markdown(calibration.worked(first[place]))
    st.markdown(
        """
**Confidence** is the probability of the predicted class. The expected calibration error (ECE) sorts the texts by
confidence into 15 bins of equal width and averages the gap between accuracy and confidence (Guo et al. 2017, equation
5). With few texts, the ECE exceeds zero even for a perfectly calibrated network. The dotted line is the 95th percentile
of simulations in which each prediction is correct with a probability equal to its confidence.

**A small error does not make a good classifier.** Before training, a network assigns each class a probability of about
one half and is correct about half of the time. Such a network is well calibrated but useless. A network is
overconfident if its mean confidence exceeds its accuracy, and underconfident if the accuracy is higher. Mean confidence
and accuracy can agree even if they differ in individual bins. The reliability diagram therefore shows bins with equal
numbers of texts, with 95% Wilson intervals of the accuracy.

The figures use the test texts whose probabilities are stored for every epoch, with an equal number of texts per label;
these texts were not used to choose an epoch. A **temperature** is a number by which all log-probabilities are divided.
This division corrects over- or underconfidence without changing any prediction. For each fifth of the texts, the
temperature is fitted on the other four fifths (cross-fitting).
"""
    )
