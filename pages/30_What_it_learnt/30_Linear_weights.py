"""What does a bag of n-grams weigh?

The baseline without a network: each n-gram of a text adds its weight to the log-odds of a class, wherever it stands.
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
A text is the set of its n-grams: how often and where one stands does not count. $r_g$ is the **log-count ratio** of the
n-gram g, with $p$ and $q$ the numbers of training texts of the class and of all others that hold it, and $w_g$ what
logistic regression makes of it; a bar is their product. Of more than two classes each has a regression of its own
against the rest, and their probabilities are scaled to one in sum.

**This explanation is exact**: no gradient, no approximation; it is all that the classifier does. What a network adds is
order, context and words that stand for one another; where it is not more accurate than these weights (see **Models:
compare**), it is worth asking what it learnt beyond them.

**A large weight is not a cause.** N-grams that stand together share what they have to say: one of two may have all the
weight, and a rare one in few texts of one class has a large ratio by chance. The largest 500 each way are listed; those
of a text are looked up by hash among all, and rounded to 1/512. *Wang and Manning 2012.*
"""
    )
