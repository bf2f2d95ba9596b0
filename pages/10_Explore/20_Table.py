"""Which reviews does it get wrong?

A sample of the test reviews, with the probability that each epoch predicts for them. Select a row to read the review.
"""

import streamlit as st

from nlpviz.ui import frame, texts, widgets
from nlpviz.ui.documents import picked, ratings, table

with frame.bar():
    run = widgets.pick_run()
    checkpoints = widgets.pick_checkpoints(run, default=(run.best_epoch,))
    texts.pick_text(run, optional=True)
with frame.controls():
    shown, order = table.pick_rows()

table.show(checkpoints, shown, order)
document = texts.document(run)
if document in picked.kept(run):
    picked.show_document(run, document)

st.header("Which predictions depend on a rating?", anchor=False)
ratings.show_turned(run)

with frame.how_to_read():
    st.markdown(
        f"""
**p({run.class_names[-1]})** is the predicted probability of the class {run.class_names[-1]}; above 50% it is the
prediction. **Confidence** is the probability of the predicted class. A confident error is often one of three things: a
wrong label, a review that means something other than its words (irony, say), or something the network has learnt
wrongly. Read it and see.

The reviews are a sample of the test split, with equally many of each label, the same for all models on this corpus.
"""
    )
