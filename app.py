"""Watch a neural network discover that “waste of time” is bad news

Type a film review: each word is coloured by how it moves the prediction. Press Play to replay the training.
"""

import streamlit as st

from nlpviz import server

# Who asks a network needs torch: of these pages all views, of others some. The Overview's map, which comes first, needs
# none: to import torch meanwhile would hold the map up for longer than it helps the coloured text.
COMPUTED = dict.fromkeys(
    (
        "One_review", "Recurrent_networks", "Captions?view=", "Captions?view=scenes", "Autoencoders?view=code",
        "Autoencoders?view=topics", "Autoencoders?view=walk", "Explore?view=inferred", "Language_models?view=",
        "Language_models?view=next-word", "Language_models?view=sampling", "Language_models?view=surprisal",
        "Language_models?view=word-order", "Toy_tasks?view=", "Toy_tasks?view=live", "Toy_tasks?view=tape",
        "Translate?view=", "Translate?view=alignment", "Translate?view=beam", "Translate?view=sentences", "Trees?view=",
        "Trees?view=one-sentence", "Inside_the_model?view=filters", "Inside_the_model?view=methods",
        "Inside_the_model?view=retrained-without", "Words?view=", "Words?view=neighbours", "Your_texts?view=",
        "Your_texts?view=train",
    ),
    "nlpviz.networks.architectures",
)  # fmt: skip

RENAMED = {
    "What_it_learnt": "Inside_the_model",
    "Word_by_word": "Recurrent_networks",
    "Codes": "Autoencoders",
}  # fmt: skip

app = st.App(__file__, lifespan=server.importing("nlpviz.ui.warm_up"), middleware=server.middleware(COMPUTED, RENAMED))

if __name__ == "__main__":  # the server imports this file for `app`; for a visitor Streamlit runs it, as the Overview
    from nlpviz.ui import views
    from nlpviz.ui.overview import page

    with views.page(__doc__, __file__):
        page.show()
