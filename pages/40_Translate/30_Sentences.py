"""What does the encoder hold when it has read a sentence?

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
Of a bidirectional encoder the point stands for the last state of each direction, side by side; of a Transformer for the
mean of its annotations. Sutskever, Vinyals and Le (2014, figure 2) show phrases that their network groups by meaning:
*John respects Mary* lies far from *Mary respects John*, which has the same words, and active lies near passive.

Look whether the ready phrases of one colour, which mean the same, lie nearer to each other than to those that share
their words. The plane is fitted to these phrases alone, so that another phrase moves all of them; what it does not hold
of the variance is not seen, and the cosine is of the whole states round their mean. At epoch 0 the weights are random:
what groups there comes from the words alone. A network with attention need not keep the whole sentence in its last
state, for its decoder sees all annotations: see what the network without attention makes of the same phrases.
"""
    )
