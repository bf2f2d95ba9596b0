"""The peer of our pages: the same map of documents on a bare Streamlit page, drawn by ``st.plotly_chart``."""

import streamlit as st

from nlpviz.figures.documents.maps import MapStyle, document_map
from nlpviz.runs import open_run
from nlpviz.runs.documents import projections_of, run_documents

run = st.cache_resource(max_entries=1)(open_run)("imdb-cnn")
epoch = st.select_slider("Epoch", run.epochs, value=run.best_epoch)
wanted = ("pca", 2, epoch, False)
shown = [one for one in projections_of(run) if (one.projector, one.dimensions, one.epoch, one.alone) == wanted]
st.plotly_chart(document_map([run_documents(run)], shown, "PCA", MapStyle(height=400)).figure, key="map")
