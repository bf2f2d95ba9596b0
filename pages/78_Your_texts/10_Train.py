"""What can a network learn from your texts?

Choose a file: labelled texts for a classifier, any text for word vectors or a language model, sentences and their
translations for a translator. Afterwards every page shows the result.
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
            "No file yet. CSV, TSV, JSON lines, Parquet and plain text are read, packed or not, and folders named "
            "after classes: a few hundred texts of each class are enough to begin with, or a text of some hundred "
            "thousand characters for a language model. On the command line: "
            "`python -m nlpviz train my-tickets --texts tickets.csv`."
        )
    elif task and chosen and (wanted := training.pick(task, chosen)) is not None:
        plan = training.planned(wanted, chosen)
        if plan is not None:
            report.show(plan.report)
            training.offer(plan, chosen)
    trainings.show()
else:
    st.info("Training on texts of your own is switched off on this server. It works where nlpviz runs on your machine.")

with frame.how_to_read():
    st.markdown(
        """
**What is held out.** A share of the texts is only tested on, a tenth of the others only chosen by. Texts by one author
or of one day are more alike than texts are: a column named under *Keep together* never stands on both sides, and by
*Latest are tested on* a model is tested on what came after all that it read.

**What stays private.** Your texts are sent only to this nlpviz server. A model keeps its vocabulary, counts of n-grams
and numbers, no text, unless you ask for it; an uploaded file is deleted when its training is done. One training runs at
a time, in a process of its own: it goes on when this tab or the server is closed.
"""
    )
