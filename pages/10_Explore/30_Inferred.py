"""How sure is the place of a text?

Paragraph vectors are found by a descent that begins at random: one text, inferred twenty times.
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
plotly_view.show(
    inferred.figure(run, cloud, projector), key="inferred", on_click=widgets.set_to(texts.SOURCE),
    code=snippets.inferred((run.name, epoch), text, times, projector),
)  # fmt: skip
inferred.tell(run, cloud)
st.header(f"Which {classes.document(run)}s are near, and what do they share?", anchor=False)
inferred.show_neighbours(run, cloud, text)
st.header("Is its place surer after more training?", anchor=False)
code = snippets.sureness(run.name, text, times)
plotly_view.show(inferred.show_epochs(run, text, times), key="sureness", code=code)

with frame.how_to_read():
    st.markdown(
        f"""
A paragraph vector is no function that a network computes of a text. It is the end of a descent: with all word vectors
as they are, {run.config["steps"]} gradient steps make the text's words likelier than {run.config["drawn"]} noise words
drawn for each step (Le and Mikolov 2014, section 2.2). Where the descent begins and which noise words are drawn depends
on a **seed**. Seed 0 is what every other page and command takes; here the seeds are 0 to {times - 1}. The same seed
gives the same vector each time.

**Spread** = median distance between two inferences / median distance between two documents
= {cloud.within:.3f} / {cloud.between:.3f} = {cloud.spread:.2f}, in the original space of {run.config["dimensions"]}
dimensions. Near 0 the seed hardly matters; at 1 the text lies anywhere. **Neighbours in common** is the mean share of
the {cloud.nearest.shape[1]} nearest documents that two inferences agree on. {cloud.known:,} of the text's
{cloud.tokens:,} tokens were read and are known: of a short text, few words pull against the noise.

The weight beside a **word in common** is log(T / t): T words stood in the training texts, t times this one (an inverse
frequency). Words in common do not explain a distance: they say what a reader would see. How exact places on the map
are depends on the map: a place by PCA is exact, t-SNE has no formula for a new point.

The **class** is that of a logistic regression over the vectors, fitted to vectors of training texts with seed 0.
"""
    )
