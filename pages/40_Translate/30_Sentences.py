"""How does the encoder represent a sentence?

Each phrase is a point in the plane of the first two principal components. Does the encoder group phrases by meaning or
by words?
"""

import streamlit as st

from nlpviz.ui import frame
from nlpviz.ui.translation import choice, equations
from nlpviz.ui.translation import phrases as translation_phrases

with frame.bar():
    run = choice.pick_run()
    epoch = choice.pick_epoch(run)
    phrases = translation_phrases.ask(run)
translation_phrases.show(run, epoch, phrases)

with frame.how_to_read():
    st.latex(equations.phrase_formula(run))
    st.markdown(
        """
A bidirectional encoder represents a phrase by the concatenated final states of both directions; a Transformer
represents a phrase by the mean of its annotations. Sutskever, Vinyals and Le (2014, figure 2) show phrases that their
network groups by meaning: *John respects Mary* lies far from *Mary respects John*, which contains the same words, and
active sentences lie near their passive counterparts.

Example phrases with the same colour have the same meaning. Check whether phrases of one colour lie closer to each other
than to phrases that share their words. The plane is fitted to these phrases only, so adding a phrase moves all points.
The map shows only part of the variance; the cosines are computed from the full, centred states. At epoch 0 the
encoder’s weights are random: any grouping comes from the words and their order, not from training. The decoder of a
network with attention receives all annotations, so the last state need not encode the entire sentence. For comparison,
map the same phrases using the network without attention.
"""
    )
