"""Word vectors: nearest neighbours, analogies, similarity, a map and axes."""

from nlpviz.ui import views

SECTION = "Vectors and codes"

views.show(__file__)
