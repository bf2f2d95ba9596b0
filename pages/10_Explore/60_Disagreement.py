"""On which texts do they disagree?

Networks, seeds and epochs, two by two on the same test texts: how often they predict another class, and for which.
"""

import streamlit as st

from nlpviz.ui import classes, frame, widgets
from nlpviz.ui.documents import churn

with frame.bar():
    run = widgets.pick_run(churn.ANSWERING)
with frame.controls():
    asked = churn.pick_what()

found, band = churn.found_of(run, asked[0])
pair = churn.show(run, found, band, asked)
document = classes.document(run)
st.header(f"Which {document}s are in dispute?", anchor=False)
churn.show_documents(run, found, pair)

with frame.how_to_read():
    one, other = pair or (0, 1)
    both, shares = found.pairs[one, other], [found.accuracies[at] for at in (one, other)]
    names = [frame.escape_markdown(found.answering[at].title) for at in (one, other)]
    classes_there = len(found.class_names)
    st.markdown(
        f"""
**Churn** is the share of test {document}s that two predict otherwise (Milani Fard et al. 2016, section 2), with
Wilson's 95 % interval. {names[0]} and {names[1]} agree on {both.agreement:.4f} of {len(found.ids):,}. Two that are as
accurate ({shares[0]:.4f} and {shares[1]:.4f}), and whose errors have nothing to do with each other, would agree on

$$
a_1 a_2 + \\frac{{(1 - a_1)(1 - a_2)}}{{K - 1}} = {both.independent:.4f}, \\qquad K = {classes_there}
$$

(Geirhos et al. 2020, section 2). More than that means that they find the same {document}s hard. **Cohen's κ** (1960)
counts agreement beyond that of two who predict each class as often, whatever the label: here {both.kappa:.3f}, 1 for
full agreement and 0 for none beyond chance.

**Two seeds** of one recipe differ in order, dropout and first weights alone; what they disagree on is noise, and a pair
is said to disagree more only where its whole interval lies above theirs. An ensemble could settle such a {document}; a
single network's answer to it is partly the luck of its seed. Networks stand so that each is followed by the one that
agrees most with it. Of {document}s on which as many pairs disagree, those come first on which the answers are surest.
"""
    )
