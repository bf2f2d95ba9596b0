"""One review: what a network predicts for it, and which of its words decide."""

from nlpviz.ui import views

SECTION = "Classifiers"

views.show(__file__)
