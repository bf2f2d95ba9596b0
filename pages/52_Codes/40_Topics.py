"""Which words does each unit stand for?

One unit of the code is moved up and down by what is usual over documents, all others kept at their means.
"""

import streamlit as st

from nlpviz.ui import frame, texts, widgets
from nlpviz.ui.codes import cache, choice, facts, topics
from nlpviz.ui.wanted import CODES

with frame.bar():
    run = widgets.pick_run(CODES)
    epoch = widgets.pick_epoch(run)
    texts.pick_text(run, optional=True)
found = cache.unit_topics(run, epoch)
with frame.controls():
    unit = choice.pick_unit(found)

topics.show(run, epoch, found, unit)
facts.tell(run)

with frame.how_to_read():
    st.latex(
        r"\Delta_w = \log p(w \mid \bar{\mathbf{z}} \pm s_u \mathbf{e}_u) - \log p(w \mid \bar{\mathbf{z}}), \qquad "
        r"\mathrm{AUC} = P(z_u^{\mathrm{class}} > z_u^{\mathrm{other}})"
    )
    st.markdown(
        f"""
z̄ is the mean code of {run.recipe["kept_documents"]:,} test documents, s the standard deviation of unit u over them:
{found[unit].deviation:.2f} for unit {unit}. A unit has two topics, one for each direction, and no direction is the
right one: with another seed they may be swapped, and the units be others.

**AUC** is the chance that a document of the class has the larger number of two documents, one of the class and one of
another (Hanley and McNeil 1982): 0.5 says nothing, 0 and 1 tell the class apart. Labels were shuffled to find what the
best of all pairs of unit and class reaches by chance; + and − stand where a pair is beyond that. AUC asks for the order
alone: a unit that has collapsed may order documents rightly by differences of no consequence. A unit is **active**
if its variance over documents is above 0.01 (Burda, Grosse and Salakhutdinov 2016).
"""
    )
