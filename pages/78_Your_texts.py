"""Your own texts and word vectors: networks trained or measured on texts, vectors on every page of words."""

from nlpviz.ui import views

SECTION = "Models and data"

views.show(__file__)
