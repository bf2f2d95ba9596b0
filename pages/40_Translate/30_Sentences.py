"""How does the encoder represent a sentence?

Each phrase is one point: what the encoder holds of it, in the plane of its first two principal components. Do phrases
that mean the same lie together, or those with the same words?
"""

import streamlit as st

from nlpviz.ui import frame
from nlpviz.ui.translation import choice, equations
from nlpviz.ui.translation import phrases as translation_phrases

with frame.bar():
    run = choice.pick_run()
    epoch = choice.pick_epoch(run)
left, right = st.columns([2, 3], gap="large")
with left:
    phrases = translation_phrases.ask(run)
with right:
    translation_phrases.show(run, epoch, phrases)

with frame.how_to_read():
    st.latex(equations.phrase_formula(run))
    st.markdown(
        """
For a bidirectional encoder the point is the last state of each direction, concatenated; for a Transformer, the mean of
its annotations. Sutskever, Vinyals and Le (2014, figure 2) show phrases that their network groups by meaning:
*John respects Mary* lies far from *Mary respects John*, which has the same words, and active lies near passive.

Check whether example phrases of one colour, which mean the same, lie nearer to each other than to those with the same
words. The plane is fitted to these phrases alone, so another phrase moves all of them; it shows only the explained
variance, while the cosine is that of the whole, centred states. At epoch 0 the encoder's weights are random: what
groups there comes from the words and their order, and not from training. A network with attention need not keep the
whole sentence in its last state, because its decoder sees all annotations: compare the network without attention on the
same phrases.
"""
    )
