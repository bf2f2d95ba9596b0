"""Word vectors, asked by words and seen as a whole: neighbours, analogies, similarity, a map, axes."""

from nlpviz.ui import views

SECTION = "Vectors and codes"

views.show(__file__)
