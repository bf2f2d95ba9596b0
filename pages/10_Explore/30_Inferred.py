"""How stable is a text’s position?

A paragraph vector is inferred by gradient descent from a random start. Here, one text is inferred many times.
"""

import streamlit as st

from nlpviz.analysis.projections import projectors
from nlpviz.ui import classes, frame, plotly_view, texts, widgets
from nlpviz.ui.documents import inferred
from nlpviz.ui.run_filter import INFERRED

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
call = inferred.infer(run, epoch, text, times)
cloud = call()
inferred.tell(cloud)
plotly_view.show(inferred.figure(run, call, projector), key="inferred", on_click=widgets.set_to(texts.SOURCE))
inferred.tell_nearest(run, cloud)
st.header(f"Which {classes.document(run)}s are nearest, and which words do they share?", anchor=False)
inferred.show_neighbours(run, cloud, text)
st.header("Does more training make the position more stable?", anchor=False)
plotly_view.show(inferred.by_epoch(run, text, times), key="sureness")

with frame.how_to_read():
    st.markdown(
        f"""
A paragraph vector is the result of an optimisation. With all word vectors fixed, {run.config["steps"]} gradient steps
adjust the text’s vector so that the text’s words become more probable than {run.config["drawn"]} noise words, which are
redrawn at each step (Le and Mikolov 2014, section 2.2). The start and the noise words depend on a **seed**, and the
same seed always gives the same vector. All other pages use seed 0; this page uses seeds 0 to {times - 1}.

**Spread** = median distance between two inferences / median distance between two documents = {cloud.within:.3f} /
{cloud.between:.3f} = {cloud.spread:.2f}, in the original space of {run.config["dimensions"]} dimensions. If the spread
is near 0, the seed hardly matters; if it is 1, the position is arbitrary. **Neighbours in common** is the mean share of
the {cloud.nearest.shape[1]} nearest documents that two inferences have in common. {cloud.known:,} of the text’s
{cloud.tokens:,} tokens are in the vocabulary. A short text has few words to outweigh the noise.

The weight of a **word in common** is log(T / t), an inverse frequency. T is the number of words in the training texts,
and t is the number of times that the word occurs in them. Words in common do not explain a distance; they only show the
overlap that a reader would notice. PCA can place a new point exactly, whereas t-SNE has no formula for new points.

The **class** is predicted by a logistic regression on the vectors, fitted to the training texts’ vectors for seed 0.
"""
    )
