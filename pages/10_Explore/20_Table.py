"""Which reviews does it get wrong?

The test reviews that the run keeps, with the probability that each epoch gave them. Choose a row to read it.
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

st.header("Whose prediction hangs on a rating?", anchor=False)
ratings.show_turned(run)

with frame.how_to_read():
    st.markdown(
        f"""
**p({run.class_names[-1]})** is the probability that the network gave the class {run.class_names[-1]}; above 50% it
predicts that class. **Confidence** is the probability of the predicted class. A confident error is one of three things:
a label that does not say what the review says, a review that means something else than its words, or something that the
network has learnt wrongly. Read it and see.

The reviews are a sample of the test split, as many of each label, the same for all runs on this corpus.
"""
    )
