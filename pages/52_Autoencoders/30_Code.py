"""What does a code preserve of a text?

The numbers that encode a text, their uncertainty, and the words that they decode to.
"""

import streamlit as st

from nlpviz.ui import frame, texts, widgets
from nlpviz.ui.codes import facts
from nlpviz.ui.codes import text as code_text
from nlpviz.ui.run_filter import CODES

with frame.bar():
    run = widgets.pick_run(CODES)
    epoch = widgets.pick_epoch(run)
    text = texts.pick_text(run)

code_text.show(run, epoch, text or "")
facts.show(run)

with frame.how_to_read():
    for line in facts.formula(run):
        st.latex(line)
    st.markdown(
        f"""
x is the text’s bag of words over a vocabulary of {run.config["vocabulary_size"] - 2:,} words: the vector of log(1 +
count), scaled to length 10. The code has {run.config["latent"]} numbers. {facts.code_said(run)}

The **decoded words** are the most probable words under the code. Some are not in the text but occur in similar texts,
because a code is too short to store a list of words. The code does not capture a word of the second list if the word’s
probability is no higher than its overall frequency. The **perplexity** of the text’s words is the exponential of the
mean of −log p; “from word frequencies” assumes the same word distribution for all documents.
"""
    )
