"""One review: what a network makes of it, and by which of its words."""

from nlpviz.ui import views

SECTION = "Classifiers"

views.show(__file__)
