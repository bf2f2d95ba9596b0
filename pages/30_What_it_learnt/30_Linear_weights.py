"""Which n-grams weigh most without a network?

A linear baseline: each n-gram adds its weight to the log-odds of a class, wherever it occurs in the text.
"""

import streamlit as st

from nlpviz.ui import frame, texts, widgets
from nlpviz.ui.regions import linear
from nlpviz.ui.wanted import LINEAR

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
A text is the set of its n-grams: how often and where they occur does not count. $r_g$ is the **log-count ratio** of the
n-gram g; $p$ and $q$ are the numbers of training texts of the class and of all others that contain it. $w_g$ is its
weight in a logistic regression, and a bar is the product. With more than two classes, each has its own regression
against the rest, and their probabilities are scaled to add up to 1.

**This explanation is exact**: it is all that the classifier computes. A network adds word order, context and words of
similar meaning. Where it is not more accurate than these weights (see **Models: compare**), ask what else it learnt.

**A large weight is not a cause.** N-grams that occur together share their evidence: all the weight may fall on one of
the two, and a rare n-gram may have a large ratio by chance. The largest 500 each way are listed; the n-grams of a text
are looked up by hash among all, and rounded to 1/512. *Wang and Manning 2012.*
"""
    )
