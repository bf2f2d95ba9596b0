"""What can a network learn from your texts?

Choose a file: labelled texts for a classifier, any text for word vectors or a language model, or sentences with
translations. The trained model then appears on every page.
"""

import streamlit as st

from nlpviz.ui import frame, limits
from nlpviz.ui.own_texts import chosen_file, report, training, trainings

if limits.training_allowed():
    file = chosen_file.pick_file("train", "texts")
    task = training.pick_task(file) if file else None
    chosen = training.pick_texts(task, file) if file and task else None
    if file is None:
        st.info(
            "Choose a file to begin. Supported formats are CSV, TSV, JSON lines, Parquet and plain text "
            "(compressed or not), and folders named after classes. A few hundred texts per class are enough "
            "to start with; a language model needs a few hundred thousand characters. On the command line: "
            "`python -m nlpviz train my-tickets --texts tickets.csv`."
        )
    elif task and chosen and (wanted := training.pick(task, chosen)) is not None:
        plan = training.planned(wanted, chosen)
        if plan is not None:
            report.show(plan.report)
            training.offer(plan, chosen)
    trainings.show()
else:
    st.info("Training on your own texts is disabled on this server. Install nlpviz on your computer to use it.")

with frame.how_to_read():
    st.markdown(
        """
**What is held out.** A share of the texts forms the test set, and a tenth of the rest forms the validation set. Texts
by the same author or from the same day resemble each other more than other texts do. *Keep together* puts all texts
with the same value of a column into one split. *Test on the latest* puts the latest texts into the test set, so that
the test texts are newer than all training texts.

**What stays private.** Your texts are sent only to this nlpviz server. A model stores its vocabulary, n-gram counts and
numbers, but no texts unless you choose to store them. An uploaded file is deleted after training. Only one training run
is active at a time. A training run has its own process and continues even if this tab is closed or the server stops.
"""
    )
