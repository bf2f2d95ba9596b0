"""Everything that imports Streamlit and is shared by the pages."""

# What every page needs, imported here: while the server's own thread does it (nlpviz/server.py), those of the first
# visitors wait at Python's lock of this package. Two threads that import the same modules in another order could meet
# one that is half imported.
import streamlit.emojis  # noqa: F401 - Streamlit imports it when it first writes: a tenth of a second

from nlpviz.ui import frame, plotly_view, texts, views, widgets  # noqa: F401
