"""What does a code keep of a text?

The numbers that a text becomes, how sure the network is of each, and the words that come back of them.
"""

import streamlit as st

from nlpviz.ui import frame, texts, widgets
from nlpviz.ui.codes import facts
from nlpviz.ui.codes import text as code_text
from nlpviz.ui.wanted import CODES

with frame.bar():
    run = widgets.pick_run(CODES)
    epoch = widgets.pick_epoch(run)
    text = texts.pick_text(run)

code_text.show(run, epoch, text or "")
facts.tell(run)

with frame.how_to_read():
    for line in facts.formula(run):
        st.latex(line)
    st.markdown(
        f"""
x is the bag of the text, log(1 + count), scaled to length 10, over {run.config["vocabulary_size"] - 2:,} words; the
code has {run.config["latent"]} numbers. {facts.code_said(run)}

**What comes back** are the likeliest words under the code: words that are not in the text but stand where such words
stand are among them, for a code is too short to list words. In the second list, a word of the text that is no likelier
than by its frequency is one that the code does not tell. The **perplexity** of the text's words is exp of the mean of
−log p; by frequency means: as if every document were drawn from one bag.
"""
    )
