"""Which n-grams matter most to a linear baseline?

Each n-gram adds its weight to the log-odds of a class, wherever it occurs in the text.
"""

import streamlit as st

from nlpviz.ui import frame, texts, widgets
from nlpviz.ui.regions import linear
from nlpviz.ui.run_filter import LINEAR

with frame.bar():
    run = widgets.pick_run(LINEAR)
    text = texts.pick_text(run)
with frame.controls():
    query = linear.pick_query(run)

linear.show(run, query)
linear.show_text(run, query, text or "")

with frame.how_to_read():
    st.latex(r"\text{log-odds} = b + \sum_{g \in \text{text}} r_g\,w_g, \qquad r_g = \log\frac{p_g / |p|}{q_g / |q|}")
    st.markdown(
        """
A text is represented as the set of its n-grams; their counts and positions are ignored. $r_g$ is the **log-count
ratio** of the n-gram g; $p_g$ and $q_g$ are the numbers of training texts that contain g, in the class and in all other
classes respectively. $w_g$ is the weight of g in a logistic regression, and each bar is the product $r_g w_g$. With
more than two classes, each class has its own one-vs-rest regression, and the probabilities are normalised to sum to 1.

**This explanation is exact**: the classifier computes nothing else. A network can also use word order, context and
similarity of meaning. If a network is no more accurate than this baseline (see **Models: compare**), it is unclear what
else the network learnt.

**A large weight does not imply causation.** N-grams that occur together share their evidence, so all the weight may
fall on one of them. A rare n-gram may have a large ratio by chance. The list contains the 500 largest weights in each
direction. The n-grams of your text are looked up by hash among all weights, which are rounded to the nearest 1/512.
*Wang and Manning 2012.*
"""
    )
