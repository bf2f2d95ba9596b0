"""How stable is a text's position?

A paragraph vector is found by gradient descent from a random start. Here one text is inferred again and again.
"""

import streamlit as st

from nlpviz.projections import projectors
from nlpviz.snippets import documents as snippets
from nlpviz.ui import classes, frame, plotly_view, texts, widgets
from nlpviz.ui.documents import inferred
from nlpviz.ui.wanted import INFERRED

TIMES = ("20", "5", "50")

with frame.bar():
    run = widgets.pick_run(INFERRED)
    epoch = widgets.pick_epoch(run)
    text = texts.pick_text(run) or ""
with frame.controls():
    names = list(projectors())
    projector = widgets.pick("map", "Map", names, lambda key: projectors()[key].title)
    times = int(widgets.pick("times", "Inferences", TIMES))

if not text.strip():
    st.stop()
cloud = inferred.infer(run, epoch, text, times)
inferred.tell(cloud)
plotly_view.show(
    inferred.figure(run, cloud, text, projector), key="inferred", on_click=widgets.set_to(texts.SOURCE),
    code=snippets.inferred((run.name, epoch), text, times, projector),
)  # fmt: skip
inferred.tell_nearest(run, cloud)
st.header(f"Which {classes.document(run)}s are near, and which words do they share?", anchor=False)
inferred.show_neighbours(run, cloud, text)
st.header("Is the position more stable after more training?", anchor=False)
code = snippets.sureness(run.name, text, times)
plotly_view.show(inferred.show_epochs(run, text, times), key="sureness", code=code)

with frame.how_to_read():
    st.markdown(
        f"""
No network computes a paragraph vector directly. With all word vectors fixed, {run.config["steps"]} gradient steps make
the text's words more probable than {run.config["drawn"]} noise words drawn for each step (Le and Mikolov 2014, section
2.2). The start and the noise words depend on a **seed**. All other pages use seed 0; here the
seeds are 0 to {times - 1}. The same seed always gives the same vector.

**Spread** = median distance between two inferences / median distance between two documents
= {cloud.within:.3f} / {cloud.between:.3f} = {cloud.spread:.2f}, in the original space of {run.config["dimensions"]}
dimensions. Near 0 the seed hardly matters; at 1 the position is arbitrary. **Neighbours in common** is the mean share
of the {cloud.nearest.shape[1]} nearest documents that two inferences have in common. {cloud.known:,} of the text's
{cloud.tokens:,} tokens are known: in a short text, few words outweigh the noise.

The weight of a **word in common** is log(T / t), with T words in the training texts, t of them this one (an inverse
frequency). Words in common do not explain a distance; they show what a reader would see. A position by PCA is exact;
t-SNE has no formula for a new point.

The **class** is that of a logistic regression over the vectors, fitted to vectors of training texts with seed 0.
"""
    )
