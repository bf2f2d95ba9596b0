"""Do networks need the words that explanations rank highest?

If a ranking is right, masking its top words before retraining should cost more accuracy than masking random words.
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
**Remove and retrain** (ROAR, Hooker et al. 2019). A network that has seen only complete texts may react to the gaps
that removed words leave. Here, separate networks are trained, validated and tested for each order, on texts with the
same share of words masked. The words whose scores have the largest magnitude are masked first, regardless of sign. A
masked word is replaced by the unknown-word token, whose vector is the mean of all other word vectors.
{roar.short(found)}

{roar.worked(found)} An order is significantly worse than random masking if a paired test over the texts is significant
(adjusted for all comparisons by Benjamini–Hochberg) *and* every network trained with that order is less accurate than
every network trained with random masking. The **log-count ratio** is a word list that does not depend on the network.

**Limits.** *Redundancy*: texts repeat themselves, so a network can learn the same from the remaining words. A flat
curve therefore does not prove that the masked words were unimportant. ROAR measures the data and the architecture, not
a single prediction. *Leakage*: the mask positions depend on the network being explained and so, indirectly, on its
prediction. A retrained network may infer the class from the mask pattern, which inflates its accuracy when many words
are masked. Ranking by magnitude reduces leakage, because magnitudes do not reveal which of two classes was predicted.
*Recursive ROAR* (Madsen et al. 2022) masks a few words, retrains and ranks again. It also finds redundant words, but it
costs many times as much and is not used here. Intervals reflect the sampling of test texts; the variation between seeds
shows how much training runs differ.
"""
    )
