"""Word vectors, asked by words."""

from nlpviz.ui import views

SECTION = "Words"

views.show(__file__)
