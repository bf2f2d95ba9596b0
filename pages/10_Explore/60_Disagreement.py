"""On which texts do networks disagree?

How often two networks, seeds or epochs predict different classes for the same test text.
"""

import streamlit as st

from nlpviz.figures.documents.churn import MEASURES
from nlpviz.ui import classes, frame, widgets
from nlpviz.ui.documents import churn

with frame.bar():
    run = widgets.pick_run(churn.ANSWERING)
with frame.controls():
    what = widgets.pick("what", "Compare", churn.WHAT)
    asked = what, widgets.pick("measure", "Cell values", MEASURES)

found, band = churn.found_of(run, what)
pair = churn.show(run, found, band, asked)
document = classes.document(run)
st.header(f"On which {document}s do predictions disagree?", anchor=False)
churn.show_documents(run, found, pair)

with frame.how_to_read():
    one, other = pair or (0, 1)
    both, shares = found.pairs[one, other], [found.accuracies[at] for at in (one, other)]
    names = [frame.escape_markdown(found.answering[at].title) for at in (one, other)]
    classes_there = len(found.class_names)
    st.markdown(
        f"""
**Churn** is the share of test {document}s for which two networks predict different classes (Milani Fard et al. 2016,
section 2), with Wilson’s 95% interval. {names[0]} and {names[1]} agree on a share of {both.agreement:.4f} of the
{len(found.ids):,} {document}s. With the same accuracies ({shares[0]:.4f} and {shares[1]:.4f}) but independent errors,
they would agree on a share of

$$
a_1 a_2 + \\frac{{(1 - a_1)(1 - a_2)}}{{K - 1}} = {both.independent:.4f}, \\qquad K = {classes_there}
$$

(Geirhos et al. 2020, section 2). Agreement above this share means that the same {document}s are hard for both.
**Cohen’s κ** (1960) is the agreement beyond chance, given how often each network predicts each class. Here, κ is
{both.kappa:.3f}; 1 is full agreement and 0 is the chance level.

**Two seeds** of the same recipe differ only in data order, dropout and initial weights, so their disagreement is noise.
Two networks disagree significantly more than two seeds only if the whole interval of their churn lies above the seeds'
intervals. A single network’s predictions depend partly on its seed; an ensemble can average out this dependence. In the
matrix, each network is followed by the network that agrees most with it. Among {document}s with equally many
disagreeing pairs, those with the most confident predictions come first.
"""
    )
