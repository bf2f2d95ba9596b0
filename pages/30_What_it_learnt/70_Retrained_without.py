"""Does a network miss what was called important?

Words that a method calls most important are masked in all texts, and the network is trained again. Who names what is
needed leaves it with less than random masks do.
"""

import streamlit as st

from nlpviz.ui import frame, widgets
from nlpviz.ui.attribution import roar

with frame.bar():
    run = widgets.pick_run(roar.RETRAINED)

found = roar.show(run)

with frame.how_to_read():
    st.latex(
        r"\Delta = \frac{1}{N} \sum_{n=1}^{N} \big(\text{right}_n(\text{order}) - \text{right}_n(\text{random})\big)"
    )
    st.markdown(
        f"""
**Remove and retrain** (ROAR, Hooker et al. 2019). A network that has only seen whole texts is surprised by gaps, so
that a fall of its probability may come from the gap. Here each order has networks of its own, trained, validated and
tested on texts with the same share of the words masked: those of the largest magnitude first, whatever their sign, as
many for every order. A masked word becomes the unknown word, whose vector is the mean of all others.
{roar.short(found)}

{roar.worked(found)} An order counts as below random words where the test says so (paired over the texts, adjusted for
all comparisons by Benjamini and Hochberg) *and* each of its seeds is below each random one. The **log-count ratio** is
a word list: it asks no network.

**What it does not show.** *Redundancy*: texts say the same in many words, so that a network can relearn from what is
left; a flat curve need not mean that the masked words did not matter to the network that named them. ROAR speaks of the
data and of this architecture, not of one prediction. *Leakage*: where words stand masked depends on the explained
network and so, indirectly, on its prediction; a new network may read the class off the pattern of the masks, which
flatters the curve of an order that masks much. Magnitudes are taken so that the order does not say which of two classes
was predicted, which lessens this. *Recursive ROAR* (Madsen et al. 2022) masks a little, retrains, and asks the new
network anew: it finds what is redundant, at many times the cost, and is not done here. Intervals are over the test
texts; seeds show how far trainings differ.
"""
    )
