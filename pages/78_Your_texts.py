"""Your own texts and word vectors: train or evaluate networks on your texts, and explore your vectors."""

from nlpviz.ui import views

SECTION = "Models and data"

views.show(__file__)
