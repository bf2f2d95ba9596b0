"""Where do documents lie in code space?

Each point is a test document, placed by its code. The autoencoder saw no labels; colours were added afterwards.
"""

import streamlit as st

from nlpviz.analysis.projections import title_of
from nlpviz.figures.documents.maps import COLORINGS, MapStyle, document_map
from nlpviz.runs import Checkpoint
from nlpviz.runs.codes import BAGS
from nlpviz.runs.documents import run_documents, stored_projections
from nlpviz.ui import classes, frame, plotly_view, texts, widgets
from nlpviz.ui.calls import Call
from nlpviz.ui.codes import choice, facts
from nlpviz.ui.codes import maps as code_maps
from nlpviz.ui.documents import answers, beginnings, maps
from nlpviz.ui.documents.settings import MapQuery
from nlpviz.ui.run_filter import CODES

with frame.bar():
    run = widgets.pick_run(CODES)
    beginnings.begin(run)
    epochs = widgets.pick_epochs(run, (run.best_epoch,), surveyed=True)
    texts.pick_text(run, optional=True)
with frame.controls():
    color = widgets.pick("color", "Colour", list(maps.colorings(run)), COLORINGS.__getitem__)
    target = classes.pick_class_or_all(run)
    settings = choice.pick_map(run)

query = MapQuery(settings, now=False)
shown = maps.shown_maps([Checkpoint(run, epoch) for epoch in epochs], query)
style = MapStyle(color=color, target=target, selected=texts.document(run), height=480 if len(epochs) == 1 else 470)
code_maps.take_away(run, shown.fitted[-1])
plotly_view.show(maps.figure(shown, query, style), key="codes", on_click=widgets.set_to(texts.SOURCE))
code_maps.lead_to_code(run)
code_maps.tell_bags(run, shown.fitted[-1])
answers.tell_trust(shown)
with frame.details():
    maps.show_numbers(shown)
    answers.tell_moves(shown)
facts.show(run)

st.header("The same documents, placed by their bags of words", anchor=False)
bags = MapStyle(color=color, target=target, selected=texts.document(run))
known, of_bags = (
    Call(run_documents, run, classes.document(run)),
    Call(stored_projections, run, BAGS, 2, (run.best_epoch,)),
)
plotly_view.show(Call(document_map, [known], of_bags, title_of(BAGS), bags), key="bags")
st.header("How trustworthy is the map of each epoch?", anchor=False)
maps.show_quality(run, query, "code_quality")

with frame.how_to_read():
    document = classes.document(run)
    st.markdown(
        f"""
A {document} is read as a **bag of words**: the number of times that each of {run.config["vocabulary_size"] - 2:,}
words occurs in its first {run.max_length} tokens. Word order, stop words and short words are ignored. The **code** of
a {document} has {run.config["latent"]} numbers. If the code is a distribution, these numbers are the mean of q(z | x).
**{title_of(settings.projector)}**: {shown.maps[-1].comparable}

**Label purity** is the share of a {document}’s {shown.maps[-1].neighbours} nearest neighbours that have its label.
**Trustworthiness** (Venna and Kaski 2001) is 1 if all neighbours on the map are neighbours in the original space. The
second map shows the first two principal components of the bags themselves, so its groups arise without training. The
network never saw the labels. If {document}s with the same label form a group, the words alone separate this label from
the others.
"""
    )
