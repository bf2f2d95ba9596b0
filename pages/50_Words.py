"""Word vectors: neighbours, analogies and similarity."""

from nlpviz.ui import views

SECTION = "Words"

views.show(__file__)
