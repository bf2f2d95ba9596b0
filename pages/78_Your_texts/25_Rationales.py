"""Do methods point where people pointed?

Upload texts in which people marked the words that speak for a label: how near each method comes to them, beside chance
and beside orders that ask no network. They are sent only to this nlpviz server.
"""

import streamlit as st

from nlpviz.ui import frame, widgets
from nlpviz.ui.attribution import rationales
from nlpviz.ui.own_texts import chosen_file

with frame.bar():
    run = widgets.pick_run()
    epoch = widgets.pick_epoch(run)

file = chosen_file.pick_file("rationales", "marked texts")
found = None
if file is None:
    names = ", ".join(map(frame.escape_markdown, run.class_names[:20]))
    st.info(f"No file yet. {rationales.FORM} The labels have to be classes of the model: {names}.")
elif (own := rationales.read(file.path, file.name, file.token)) is not None:
    found = rationales.found(run, epoch, own, file.token)
    if found is not None:
        rationales.show(found)

with frame.how_to_read():
    st.latex(r"\text{AP} = \sum_k (R_k - R_{k-1})\, P_k")
    st.markdown(
        f"""
A method's scores put the tokens of a text in an order. $P_k$ is the share of marked tokens among those with the $k$
highest distinct scores, $R_k$ the share of the marked tokens that are among them: the **average precision** is the area
under the precision-recall curve (AUPRC in ERASER, DeYoung et al. 2020). The score explained is that of the label that
people gave; of a method without sign, magnitudes count. {rationales.worked(found)}

**Random orders** reach a little more than the share of marked tokens, which is computed exactly for each text (Bestgen
2015). **Log-count ratio** is a word list that knows nothing but how often each word stands in training texts of either
label; **last words first** and **first words first** know only a word's position. People often mark the end of a film
review, so that position alone can beat a method: such a method is not yet shown to have found anything.

**What it does not show.** Plausible is not faithful (Jacovi and Goldberg 2020): a network may be right for reasons that
no person would give, and a method that says so is right about the network. Tokens beyond what the network reads are
left out. Intervals are over texts; texts by the same people may be more alike than they assume.
"""
    )
