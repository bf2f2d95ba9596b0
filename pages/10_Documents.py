"""Where do the reviews lie, and how did the map form?

Each point is one test review: the vector that the network hands to its last layer, flattened.
"""

import streamlit as st

from nlpviz.figures.documents import COLORINGS, MapStyle
from nlpviz.projections import projectors
from nlpviz.ui import cache, frame, plotly_view, texts, widgets

with frame.page(__doc__, __file__):
    with frame.controls():
        run = widgets.pick_run()
        epochs = widgets.pick_epochs(run, default=(run.epochs[0], run.best_epoch))
        name = widgets.pick("map", "Map", list(projectors()), lambda key: projectors()[key].title)
        dimensions = int(widgets.pick("dimensions", "Dimensions", ["2", "3"], "{}-D".format))
        color = widgets.pick("color", "Colour", COLORINGS)

    projector = projectors()[name]
    above = st.container()
    document = texts.pick_document(run)
    with above:
        drawn = cache.document_map(run, name, dimensions, epochs, MapStyle(color=color, selected=document))
        plotly_view.show(drawn, key="documents", on_click=widgets.set_to("doc"))
        last = cache.projections(run, name, dimensions, epochs)[-1]
        frame.answer(
            "At epoch {epoch}, {purity:.0%} of a review's {neighbours} nearest neighbours share its label"
            " (before training: {before:.0%}). Trust in this map: {trust:.2f} of 1.",
            epoch=last.epoch,
            purity=last.purity,
            neighbours=last.neighbours,
            before=cache.projections(run, name, dimensions, (0,))[0].purity,
            trust=last.trustworthiness,
        )

    if document:
        texts.show_document(run, document)

    with frame.how_to_read():
        st.markdown(
            f"""
{projector.reading} {last.comparable}

**Neighbours** are counted in the space of the embeddings themselves, not on the map: half of them share the label by
chance. **Trust** is the trustworthiness of Venna and Kaski (2001): 1 where no
neighbour on the map is a stranger in the original space. The vector is the input of the last layer (Tixier 2018,
section 5.4.1), for {len(run.documents.ids):,} test reviews, as many of each label. *{projector.source}.*
"""
        )
