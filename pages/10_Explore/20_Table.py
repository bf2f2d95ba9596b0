"""Which texts does the network get wrong?

A sample of the test texts with the network’s predictions at each epoch. Select a row to read its text.
"""

import streamlit as st

from nlpviz.ui import classes, frame, texts, widgets
from nlpviz.ui.documents import picked, ratings, table
from nlpviz.ui.run_filter import WITH_DOCUMENTS

with frame.bar():
    run = widgets.pick_run(WITH_DOCUMENTS)
    checkpoints = widgets.pick_checkpoints(run, default=(run.best_epoch,), wanted=WITH_DOCUMENTS)
    texts.pick_text(run, optional=True)
with frame.controls():
    shown = widgets.pick("rows", "Show", table.SHOWN)
    order = widgets.pick("order", "Sort by", table.ORDERS)

table.show(checkpoints, shown, order)
chosen = texts.document(run)
if chosen in picked.kept(run):
    picked.show_document(run, chosen)

st.header("Which classes does the network confuse?", anchor=False)
table.show_confusion([one for one in checkpoints if one.run.name == run.name][-1])
ratings.show_turned(run)

document = classes.document(run)
with frame.how_to_read():
    last = run.class_names[-1]
    if len(run.class_names) == 2:
        st.markdown(
            f"**p({last})** is the predicted probability of {last}. If it is above 50%, {last} is the prediction."
        )
    st.markdown(
        f"""
**Confidence** is the probability of the predicted class. A confident error often has one of three causes: a wrong
label, a {document} that is not meant literally (irony, for example), or a misleading pattern that the network learnt.
In the **confusion matrix**, each row is a true class and each column a predicted class; correct predictions lie on the
diagonal.

The {document}s are a sample of the test set with the same number of {document}s per label. All models trained on this
corpus use the same sample.
"""
    )
