"""What did small neural networks learn about language?

See one find "waste of time", epoch by epoch, on real data. Every number was measured.
"""

import streamlit as st

from nlpviz import server

COMPUTED = dict.fromkeys(
    ("Language_models", "One_review", "Toy_tasks", "Translate"), "nlpviz.models"
)  # who asks a network needs torch

app = st.App(__file__, lifespan=server.importing("nlpviz.ui.ahead"), middleware=server.middleware(COMPUTED))

if __name__ == "__main__":  # the server imports this file for `app`; for a visitor Streamlit runs it, as the Overview
    from nlpviz.ui import overview, views

    with views.page(__doc__, __file__):
        overview.show()
