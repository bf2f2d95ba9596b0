"""Do attributions agree with human rationales?

Upload texts in which people marked the words that support a label. Each method is compared with these rationales and
with baselines that ignore the network. The texts are sent only to this nlpviz server.
"""

import streamlit as st

from nlpviz.ui import frame, widgets
from nlpviz.ui.attribution import rationales
from nlpviz.ui.own_texts import chosen_file

with frame.bar():
    run = widgets.pick_run()
    epoch = widgets.pick_epoch(run)

file = chosen_file.pick_file("rationales", "texts with rationales")
found = None
if file is None:
    names = ", ".join(map(frame.escape_markdown, run.class_names[:20]))
    st.info(f"Choose a file to begin. {rationales.FORM} The labels must be the names of the model’s classes: {names}.")
elif (own := rationales.read(file.path, file.name, file.token)) is not None:
    found = rationales.found(run, epoch, own, file.token)
    if found is not None:
        rationales.show(found)

with frame.how_to_read():
    st.latex(r"\text{AP} = \sum_k (R_k - R_{k-1})\, P_k")
    st.markdown(
        f"""
A method’s scores rank the tokens of a text. $P_k$ is the share of marked tokens among the tokens with the $k$ highest
distinct scores, and $R_k$ is the share of all marked tokens that have one of these scores. The **average precision**
is the area under the precision-recall curve (AUPRC in ERASER, DeYoung et al. 2020). The score explained is that of the
annotated label; for an unsigned method, tokens are ranked by magnitude. {rationales.worked(found)}

On average, **random orders** score slightly above the share of marked tokens. The expected score of a random order is
computed exactly for each text (Bestgen 2015). **Log-count ratio** ranks words only by how often they occur in training
texts of each label; **last words first** and **first words first** use only a word’s position. Annotators often mark
the end of a film review, so a position baseline can beat a method. Agreement below such a baseline is no evidence for
the method.

**Limits.** A plausible explanation is not necessarily faithful (Jacovi and Goldberg 2020). A network may be right for
reasons that no human would give. A method that reveals these reasons is faithful but looks implausible. Tokens beyond
the maximum length are left out. The intervals assume that the texts are independent, but texts by the same author may
resemble each other.
"""
    )
