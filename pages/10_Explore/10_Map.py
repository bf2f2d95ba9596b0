"""Where do the texts lie, and how did the map form?

Each point is a test text; texts with similar representations lie close together.
"""

import streamlit as st

from nlpviz.analysis.projections import projectors
from nlpviz.figures.documents.maps import COLORINGS, MapStyle
from nlpviz.ui import classes, frame, plotly_view, texts, widgets
from nlpviz.ui.documents import answers, beginnings, maps, picked, placing, ratings
from nlpviz.ui.documents.settings import pick_settings
from nlpviz.ui.run_filter import WITH_DOCUMENTS

ALONE = 470  # pixels that a map has in height where it stands alone

with frame.bar():
    run = widgets.pick_run(WITH_DOCUMENTS)
    beginnings.begin(run)
    checkpoints = widgets.pick_checkpoints(run, default=(run.best_epoch,), wanted=WITH_DOCUMENTS, surveyed=True)
    review = texts.pick_text(run, optional=True)
with frame.controls():
    names = list(projectors()) if len(run.class_names) == 2 else list(projectors())[::-1]  # two axes part no 20 classes
    name = widgets.pick("map", "Map", names, lambda key: projectors()[key].title)
    dimensions = int(widgets.pick("dimensions", "Dimensions", ["2", "3"], "{}-D".format))
    color = widgets.pick("color", "Colour", list(maps.colorings(run)), COLORINGS.__getitem__)
    target = classes.pick_class_or_all(run)
    query = pick_settings(run, name, dimensions, [epoch for one, epoch in checkpoints if one is run])

shown = maps.shown_maps(checkpoints, query)
answers.tell(shown)
above = st.container()
chosen = picked.pick_document(run)
if chosen:
    picked.show_document(run, chosen)
    review = None  # it stands on the map
positions = placing.positions(shown, review)
if review and positions:
    placing.tell(shown, review)
with above:
    height = ALONE if len(shown.maps) == 1 else MapStyle.height
    style = MapStyle(color=color, target=target, selected=chosen, height=height, placed=positions)
    plotly_view.show(maps.figure(shown, query, style), key="documents", on_click=widgets.set_to(texts.SOURCE))

if color == "masked":
    ratings.tell_masked(run)
answers.tell_trust(shown)
with frame.details():
    maps.show_numbers(shown)
    answers.tell_moves(shown)
st.header("How trustworthy are the maps, epoch by epoch?", anchor=False)
maps.show_quality(run, query, "quality")

document = classes.document(run)
with frame.how_to_read():
    st.markdown(
        f"""
{projectors()[name].reading} {shown.maps[-1].comparable}

**Label purity** and **silhouette** are measured in the original space of the embeddings, not on the map. Purity is the
share of a {document}’s {shown.maps[-1].neighbours} nearest neighbours that have the same label (by chance,
{1 / len(run.class_names):.0%}). The silhouette (Rousseeuw 1987; Euclidean distances) is (b − a) / max(a, b), where a is
the mean distance to {document}s with the same label and b the mean distance to the others. It is near 0 where
{document}s with different labels are mixed and near 1 where they are far apart. **Trustworthiness** (Venna and Kaski
2001) is 1 if all neighbours on the map are also neighbours in the original space. The table gives two baselines: a
random layout of the points, and this projector’s map of the same number of random vectors. A map is rated poor if its
trustworthiness lies less than halfway from the higher baseline to 1, and good if it lies at least three quarters of the
way. The vectors are the inputs of the last layer (Tixier 2018, section 5.4.1), for {len(shown.maps[-1].coordinates):,}
test {document}s.

Set **Fit** to *each epoch separately* to see what the comparable maps avoid: flipped axes, rotated clusters, and points
that move even though the network has hardly changed. *{projectors()[name].source}.*
"""
    )
