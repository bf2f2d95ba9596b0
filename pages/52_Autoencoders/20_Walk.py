"""What lies between two documents?

A straight line from the code of one text to the code of another, decoded into words step by step.
"""

import streamlit as st

from nlpviz.ui import frame, texts, widgets
from nlpviz.ui.codes import choice, facts, walk
from nlpviz.ui.run_filter import CODES

with frame.bar():
    run = widgets.pick_run(CODES)
    epoch = widgets.pick_epoch(run)
    text = texts.pick_text(run)
with frame.controls():
    end = choice.pick_end(run)
if end is None or not (text or "").strip():
    st.stop()

walk.show(run, epoch, choice.End(choice.start_name(run), str(text)), end)
facts.show(run)

with frame.how_to_read():
    st.latex(r"\mathbf{z}_t = (1 - t)\, \mathbf{z}_{\mathrm{first}} + t\, \mathbf{z}_{\mathrm{second}}")
    st.markdown(
        f"""
Each column is a code z, with t from 0 to 1; each cell shows a word’s probability under this code, on a logarithmic
scale. The words shown are those whose probability changes most along the way. The codes come from **{run.title}** at
epoch {epoch}. If a code is a distribution, its mean is used.

**Is the space between documents populated?** An autoencoder is trained on the codes of documents, not on codes between
documents. The KL divergence of a variational autoencoder pulls all codes into one cloud, so the space between two
codes is less empty. The last column of the table shows the distance to the nearest test document, relative to the mean
distance between neighbouring documents. A value of about 1 means that the step is as close to a document as documents
usually are to their nearest neighbours. In a space with many dimensions, few documents lie in the middle of a cloud,
so a value above 1 is not necessarily a flaw. *Bowman et al. 2016, section 4.3, for walks.*
"""
    )
