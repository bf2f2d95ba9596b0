"""Word vectors, asked by words and seen as a whole: neighbours, analogies, similarity, a map, axes."""

from nlpviz.ui import views

SECTION = "Words"

views.show(__file__)
