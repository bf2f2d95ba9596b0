"""How good is a model on your texts?

Upload texts with labels: accuracy, calibration, and where it errs. They are sent only to this nlpviz server.
"""

import streamlit as st

from nlpviz.ui import frame
from nlpviz.ui.own_texts import chosen_file, evaluation

with frame.bar():
    runs = evaluation.pick_runs()

file = chosen_file.pick_file("evaluate", "texts and labels")
opened = chosen_file.pick_columns("evaluate", file, ("label",)) if file else None
if file is None:
    names = ", ".join(map(frame.escape_markdown, runs[0].class_names[:20]))
    st.info(
        "No file yet. CSV, TSV, JSON lines and Parquet are read, packed or not, and folders named after classes. The "
        f"labels have to be classes of the model, in upper or lower case: {names}."
    )
elif opened is not None:
    found = evaluation.found(runs, opened, file)
    if found is not None:
        evaluation.show(found, runs, file)

with frame.how_to_read():
    st.markdown(
        """
**Macro F1** is the mean F1 of the classes, each counted once however many texts it has. The **expected calibration
error** (Guo et al. 2017) is the mean distance between confidence and accuracy over bins of confidence; with few texts
it is above zero even where every confidence is right, so that the value by chance is given as well. A
**temperature** is one number by which all logits are divided: it changes no prediction.

Words are tested by Fisher's exact test, corrected for their number (Benjamini and Hochberg). That a word goes with
errors does not say that it causes them. Two models are compared by McNemar's test on the texts that one of them alone
classifies rightly.

What you upload is kept in memory and in a temporary file until you close the tab.
"""
    )
