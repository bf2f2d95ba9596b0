"""How good is a model on your texts?

Upload labelled texts to measure accuracy, calibration and errors. The texts are sent only to this nlpviz server.
"""

import streamlit as st

from nlpviz.ui import frame
from nlpviz.ui.own_texts import chosen_file, evaluation

with frame.bar():
    runs = evaluation.pick_runs()

file = chosen_file.pick_file("evaluate", "labelled texts")
opened = chosen_file.pick_columns("evaluate", file, ("label",)) if file else None
if file is None:
    names = ", ".join(map(frame.escape_markdown, runs[0].class_names[:20]))
    st.info(
        "Choose a file to begin. Supported formats are CSV, TSV, JSON lines and Parquet (compressed or not), and "
        f"folders named after classes. The labels must be the names of the model’s classes (case is ignored): {names}."
    )
elif opened is not None:
    found = evaluation.found(runs, opened, file)
    if found is not None:
        evaluation.show(found, runs, file)

with frame.how_to_read():
    st.markdown(
        """
**Macro F1** is the unweighted mean of the classes’ F1 scores. The **expected calibration error** (Guo et al. 2017) is
the mean gap between confidence and accuracy over bins of confidence. With few texts, this error is above zero even for
a perfectly calibrated model, so the value expected by chance is shown as well. A **temperature** is a number by which
all logits are divided. The division changes the confidence but not the predicted class.

Words are tested for association with errors by Fisher’s exact test, corrected for multiple testing (Benjamini and
Hochberg). A word associated with errors does not necessarily cause them. Two models are compared by McNemar’s test on
the texts that only one of the two classifies correctly.

Uploaded texts are stored in memory and in a temporary file until you close the tab.
"""
    )
