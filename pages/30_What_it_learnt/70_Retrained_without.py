"""Does a network miss the words called important?

Retrained without the words it needs, a network should lose more accuracy than with random words masked.
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
**Remove and retrain** (ROAR, Hooker et al. 2019). Gaps surprise a network that has only seen whole texts, so that a
falling probability may come from the gap. Here each order has its own networks, trained, validated and tested on texts
with the same share of words masked, those of the largest magnitude first, whatever their sign. A masked word becomes
the unknown word, whose vector is the mean of all others.
{roar.short(found)}

{roar.worked(found)} An order is significantly worse than random words if the test says so (paired over the texts,
adjusted for all comparisons by Benjamini and Hochberg) *and* each of its seeds is below each random one. The
**log-count ratio** is a word list that ignores the network.

**What it does not show.** *Redundancy*: texts repeat themselves, so that a network can relearn from the remaining
words; a flat curve need not mean that the masked words did not matter. ROAR measures the data and the architecture,
not one prediction. *Leakage*: the places of the masks depend on the explained network and so, indirectly, on its
prediction; a new network may read the class off their pattern, which flatters orders with many masks. Magnitudes
lessen this, since they do not show which of two classes was predicted. *Recursive ROAR* (Madsen et al. 2022) masks a
little, retrains and ranks again: it also finds redundant words, at many times the cost, and is not done here.
Intervals are over the test texts; seeds show how far trainings differ.
"""
    )
