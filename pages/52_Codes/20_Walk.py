"""What lies between two documents?

A straight line from the code of one text to that of another, decoded into words step by step.
"""

import streamlit as st

from nlpviz.ui import frame, texts, widgets
from nlpviz.ui.codes import choice, facts, walk
from nlpviz.ui.wanted import CODES

with frame.bar():
    run = widgets.pick_run(CODES)
    epoch = widgets.pick_epoch(run)
    text = texts.pick_text(run)
with frame.controls():
    end = choice.pick_end(run)
if end is None or not (text or "").strip():
    st.stop()

walk.show(run, epoch, choice.End(choice.start_name(run), str(text)), end)
facts.tell(run)

with frame.how_to_read():
    st.latex(r"\mathbf{z}_t = (1 - t)\, \mathbf{z}_{\mathrm{first}} + t\, \mathbf{z}_{\mathrm{second}}")
    st.markdown(
        f"""
Each column is one code z, t from 0 to 1; each cell says how likely a word is under it, on a logarithmic scale. The
words are those whose probability changes most on the way. Codes are those of **{run.title}** at epoch {epoch}, the
means of q(z | x) where a code is a distribution.

**Does anything live there?** An autoencoder is trained on the codes of documents, not on those between them; the KL
divergence of a variational one pulls all codes towards one cloud, so that the way between two of them is less empty.
The last column of the table says how far the nearest test document is, in units of what is usual between documents:
around 1 means that the step is as close to a document as documents are to each other. In the middle of a cloud of many
dimensions there are few documents, so a number above 1 alone is no fault. *Bowman et al. 2016, section 4.3, for walks.*
"""
    )
