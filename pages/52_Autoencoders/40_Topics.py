"""Which words does each unit represent?

One unit of the code is varied over its typical range across documents; the other units stay at their means.
"""

import streamlit as st

from nlpviz.ui import frame, widgets
from nlpviz.ui.codes import cache, choice, facts, topics
from nlpviz.ui.run_filter import CODES

with frame.bar():
    run = widgets.pick_run(CODES)
    epoch = widgets.pick_epoch(run)
found = cache.unit_topics(run, epoch)()
with frame.controls():
    unit = choice.pick_unit(found)

topics.show(run, epoch, unit)
facts.show(run)

with frame.how_to_read():
    st.latex(
        r"\Delta_w = \log p(w \mid \bar{\mathbf{z}} \pm s_u \mathbf{e}_u) - \log p(w \mid \bar{\mathbf{z}}), \qquad "
        r"\mathrm{AUC} = P(z_u^{\mathrm{class}} > z_u^{\mathrm{other}})"
    )
    st.markdown(
        f"""
z̄ is the mean code of {run.recipe["kept_documents"]:,} test documents, and s is the standard deviation of unit u over
these documents. For unit {unit}, s is {found[unit].deviation:.2f}. A unit has two topics, one for each direction;
neither direction is privileged. With another seed, the directions may be swapped and the units may differ.

**AUC** is the probability that a document of the class has a larger value than a document of another class (Hanley and
McNeil 1982): 0.5 is the chance level, and 0 and 1 mean perfect separation. Shuffled labels show the largest AUC that
the unit–class pairs reach by chance; the signs + and − mark pairs beyond this limit. AUC depends only on the ranking,
so a collapsed unit may rank documents correctly by negligible differences. A unit is **active** if its variance over
documents is above 0.01 (Burda, Grosse and Salakhutdinov 2016).
"""
    )
